export { readThf, writeThf } from "countersign/threat-model";
