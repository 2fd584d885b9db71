// The grammar is shared with whoever else shows models in colours, and stands one folder up.
const fs = require("node:fs");
const path = require("node:path");

const name = "kinfold.tmLanguage.json";
const root = path.join(__dirname, "..");
fs.mkdirSync(path.join(root, "out"), { recursive: true });
fs.copyFileSync(path.join(root, "..", name), path.join(root, "out", name));
