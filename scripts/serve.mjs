// Serves the built editors and the scripted provider: `node scripts/serve.mjs`, on PORT or the first free port from
// 5173. A static server with a strict content policy; it reads www/dist and nothing else, and calls nobody.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { PATHS, scriptedProvider } from "../www/threat-model/scripted/provider.mjs";

const FIRST_PORT = 5173;
const TRIED_PORTS = 40;
const dist = fileURLToPath(new URL("../www/dist/", import.meta.url));

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".map": "application/json",
  ".wasm": "application/wasm",
};

// no inline script or style, nothing from elsewhere, no markup from strings; a person may name a provider anywhere
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self' https: http:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const HEADERS = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-cache",
};

/** Starts the server and resolves with `{ url, close }`. Port 0 takes any free one. */
export async function startServer({ port = FIRST_PORT, host = "127.0.0.1", root = dist, delayMs, fault } = {}) {
  const provider = scriptedProvider({ ...(delayMs === undefined ? {} : { delayMs }), ...(fault === undefined ? {} : { fault }) });
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const done = PATHS.has(path) ? provider(request, response) : serveFile(root, path, request, response);
    done.catch((error) => {
      console.error(error);
      if (!response.headersSent) response.writeHead(500, { "content-type": "text/plain" });
      response.end();
    });
  });
  const bound = await listen(server, port, host);
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}/`,
    close: () => new Promise((done) => {
      server.close(done);
      server.closeAllConnections();
    }),
  };
}

async function serveFile(root, path, request, response) {
  const plain = (status, text, more = {}) => {
    response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...HEADERS, ...more });
    response.end(`${text}\n`);
  };
  if (request.method !== "GET" && request.method !== "HEAD") return plain(405, "use GET", { allow: "GET, HEAD" });
  let name;
  try {
    name = decodeURIComponent(path);
  } catch {
    return plain(400, "this is no path");
  }
  const file = resolve(root, `.${name.endsWith("/") ? `${name}index.html` : name}`);
  const inside = file.startsWith(root.endsWith(sep) ? root : root + sep) && !name.includes("\0");
  const found = inside ? await stat(file).catch(() => undefined) : undefined;
  // an editor names its files relative to its folder
  if (found?.isDirectory() && (await stat(join(file, "index.html")).catch(() => undefined))) return plain(301, "it is a folder", { location: `${path}/` });
  if (found === undefined || !found.isFile()) return plain(404, `there is no ${JSON.stringify(name)} here`);
  response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "content-length": found.size, ...HEADERS });
  if (request.method === "HEAD") return response.end();
  createReadStream(file).on("error", () => response.destroy()).pipe(response);
}

function listen(server, first, host) {
  return new Promise((done, fail) => {
    let port = first;
    server.on("error", (error) => {
      if (error.code !== "EADDRINUSE" || first === 0 || port >= first + TRIED_PORTS) return fail(error);
      port += 1;
      server.listen(port, host);
    });
    server.on("listening", () => done(server.address().port));
    server.listen(port, host);
  });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const built = await stat(join(dist, "index.html")).catch(() => undefined);
  if (built === undefined) {
    console.error("The page is not built yet. Run `npm start`, or `npm run build` first.");
    process.exit(1);
  }
  const port = process.env.PORT === undefined || process.env.PORT === "" ? FIRST_PORT : Number(process.env.PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    console.error(`PORT is ${JSON.stringify(process.env.PORT)}; it must be a number from 0 to 65535.`);
    process.exit(1);
  }
  const { url } = await startServer({ port, ...(process.env.HOST ? { host: process.env.HOST } : {}), ...(process.env.SCRIPTED_FAULT ? { fault: process.env.SCRIPTED_FAULT } : {}) });
  console.log(`Countersign is open at ${url} (threat models) and ${url}board/ (a team board)`);
}
