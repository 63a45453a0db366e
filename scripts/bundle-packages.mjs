// Bundles packages that consist of hundreds of small modules, in place: to find and link modules takes most of the time in
// which a process starts. `scripts/install.mjs` runs this after npm. Without it everything works, and starts later.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** Each package, with everything that we import from it: an entry that is not listed would load the package a second time. */
const entriesOf = {
  '@peculiar/asn1-schema': ['@peculiar/asn1-schema'],
  '@peculiar/asn1-x509': ['@peculiar/asn1-x509'],
  '@simplewebauthn/server': ['@simplewebauthn/server'],
  typebox: ['typebox', 'typebox/schema', 'typebox/value'],
  undici: ['undici'],
  viem: ['viem', 'viem/accounts', 'viem/utils'],
}

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { dependencies, devDependencies } = readJson(join(root, 'package.json'))
const ours = Object.keys({ ...dependencies, ...devDependencies })

for (const [name, entries] of Object.entries(entriesOf)) await bundle(name, entries)

/** Writes the bundle into a folder of the package; then lets each entry export what the bundle exports. */
async function bundle(name, entries) {
  const folder = join(root, 'node_modules', name)
  const files = entries.map((entry) => fileURLToPath(import.meta.resolve(entry)))
  // Bundled before, and npm has not installed the package again since.
  if (files.every((file) => readFileSync(file, 'utf8').includes('/.bundle/'))) return
  const format = files.every(isModule) ? 'esm' : 'cjs'
  const fileName = `[name]-[hash].${format === 'esm' ? 'mjs' : 'cjs'}`
  const build = await rolldown({
    input: files,
    platform: 'node',
    cwd: folder,
    // A package that we import ourselves must not exist a second time in the bundle of another.
    external: ours.filter((other) => other !== name),
    logLevel: 'silent',
  })
  const options = { dir: join(folder, '.bundle'), format, entryFileNames: fileName, chunkFileNames: fileName }
  const { output } = await build.write(options)
  await build.close()
  for (const { isEntry, facadeModuleId: entry, fileName: bundled, exports } of output) {
    if (!isEntry) continue
    const target = `./${relative(dirname(entry), join(options.dir, bundled)).replaceAll('\\', '/')}`
    writeFileSync(
      `${entry}.draft`,
      format === 'esm' ? exportFrom(target, exports) : requireFrom(target, entry),
    )
    renameSync(`${entry}.draft`, entry)
  }
}

/** As Node decides it: by the extension, then by the nearest package.json. */
function isModule(file) {
  if (file.endsWith('.mjs')) return true
  for (let folder = dirname(file); folder !== root; folder = dirname(folder)) {
    try {
      return readJson(join(folder, 'package.json')).type === 'module'
    } catch {
      // It is in a folder above.
    }
  }
  return false
}

function exportFrom(target, names) {
  const all = `export * from '${target}'\n`
  return names.includes('default') ? `${all}export { default } from '${target}'\n` : all
}

/** Node reads the text of a CommonJS module to learn the names of its exports: hence the list that is never assigned. */
function requireFrom(target, entry) {
  const names = Object.keys(createRequire(entry)(entry)).filter((name) => name !== 'default')
  return `module.exports = require('${target}')\n0 && (module.exports = { ${names.join(', ')} })\n`
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
