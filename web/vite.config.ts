import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { defineConfig, type Plugin } from "vite";

const HERE = import.meta.dirname;
// what the built page is made of; tests/test_desk.py reckons the same digest
const SOURCES = [
  "index.html",
  "package.json",
  "package-lock.json",
  "public",
  "src",
  "tsconfig.json",
  "vite.config.ts",
];

function files(place: string): string[] {
  const path = join(HERE, place);
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => files(join(place, name)));
}

/** The SHA-256 of all source files, each with its name, in the order of their names. */
function digest(): string {
  const hash = createHash("sha256");
  const named = SOURCES.flatMap(files).map(
    (path) => [relative(HERE, path).split(sep).join("/"), path] as const,
  );
  for (const [name, path] of named.sort((a, b) => (a[0] < b[0] ? -1 : 1))) {
    const bytes = readFileSync(path);
    hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}

/** Records in the build which source it was made from. */
const recorded: Plugin = {
  name: "source-digest",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "source.sha256", source: `${digest()}\n` });
  },
};

export default defineConfig({
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../pyengine/web/static",
    emptyOutDir: true,
    assetsDir: "assets",
    assetsInlineLimit: 0, // the policy of the page allows no data: but pictures
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  plugins: [recorded],
  server: {
    proxy: {
      "^/(legal|resolve|why|check|rules|cards|vocabulary|states|state|rulings)": "http://127.0.0.1:8000",
    },
  },
  test: { environment: "node", include: ["test/**/*.test.ts"] },
} as Parameters<typeof defineConfig>[0]);
