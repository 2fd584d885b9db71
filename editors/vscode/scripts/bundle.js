// Makes what the package has: the extension and its libraries as one file, the grammar, which is shared with whoever else
// shows models in colours, and the licences, of Kinfold and of the libraries.
const esbuild = require("esbuild");
const fs = require("node:fs");
const path = require("node:path");

const root = path.join(__dirname, "..");
const project = path.join(root, "..", "..");
const dist = path.join(root, "dist");

fs.rmSync(dist, { recursive: true, force: true });
const built = esbuild.buildSync({
  absWorkingDir: root,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  bundle: true,
  minify: true,
  platform: "node",
  format: "cjs",
  target: "node18",
  external: ["vscode"],
  legalComments: "none",
  metafile: true,
});
const grammar = "kinfold.tmLanguage.json";
fs.copyFileSync(path.join(root, "..", grammar), path.join(dist, grammar));

const own = ["LICENSE-MIT", "LICENSE-APACHE"].map((name) => fs.readFileSync(path.join(project, name), "utf8"));
const choice = "Kinfold is licensed under either of the two licences below, at your choice.\n";
fs.writeFileSync(path.join(root, "LICENSE.txt"), [choice, ...own].join(`\n${"-".repeat(80)}\n\n`));

const libraries = new Set();
for (const input of Object.keys(built.metafile.inputs)) {
  const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (found) {
    libraries.add(found[1]);
  }
}
const texts = [...libraries].sort().map((folder) => {
  const { name, version, license } = JSON.parse(fs.readFileSync(path.join(root, folder, "package.json"), "utf8"));
  const file = fs.readdirSync(path.join(root, folder)).find((one) => /^licen[cs]e/i.test(one));
  const text = fs.readFileSync(path.join(root, folder, file), "utf8");
  return `${name} ${version} (${license})\n\n${text}`;
});
fs.writeFileSync(path.join(dist, "LIBRARIES.txt"), texts.join(`\n${"-".repeat(80)}\n\n`));
