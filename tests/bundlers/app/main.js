// A user's page: starts both engines and says so in its title.
import { init, version } from "countersign";
import * as threatModel from "countersign/threat-model";

try {
  await Promise.all([init(), threatModel.init()]);
  document.title = `${version()} ${threatModel.version()}`;
} catch (error) {
  document.title = `failed: ${error}`;
}
