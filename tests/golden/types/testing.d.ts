export { CountersignError } from "./error.js";
