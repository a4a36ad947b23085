// A user's page: starts both engines and says so in its title.
import { canonicalJson, init } from "countersign";
import * as threatModel from "countersign/threat-model";

try {
  await Promise.all([init(), threatModel.init()]);
  const value = { b: 1, a: 2 };
  document.title = `${canonicalJson(value)} ${threatModel.canonicalJson(value)}`;
} catch (error) {
  document.title = `failed: ${error}`;
}
