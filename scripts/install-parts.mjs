// What each installation contains. Plain JavaScript for Node 20, as in `install.mjs`.
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The part of package.json and of its lock file that `npm start` needs: the dependencies, and of the packages for developers only those
 * that `installedForStart` names.
 */
export function partForStart(manifest, lock) {
  const { name, version, private: isPrivate, type, dependencies, optionalDependencies } = manifest
  const devDependencies = Object.fromEntries(
    manifest.installedForStart.map((each) => {
      const wanted = manifest.devDependencies[each]
      if (wanted === undefined) throw new Error(`installedForStart: ${each} is not in devDependencies`)
      return [each, wanted]
    }),
  )
  const part = {
    name,
    version,
    private: isPrivate,
    type,
    dependencies,
    devDependencies,
    optionalDependencies,
  }
  const paths = needed(
    lock.packages,
    Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }),
  )
  const packages = Object.fromEntries(Object.entries(lock.packages).filter(([path]) => paths.has(path)))
  const root = { name, version, dependencies, devDependencies, optionalDependencies }
  return { manifest: part, lock: { ...lock, packages: { '': root, ...packages } } }
}

/** The paths of these packages in the lock file, with everything that they need. */
function needed(packages, names) {
  const paths = new Set()
  const waiting = names.map((name) => ['', name])
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const path = found(packages, ...next)
    if (path === undefined || paths.has(path)) continue
    paths.add(path)
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[path]
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => !peerDependenciesMeta?.[name]?.optional,
    )
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
      waiting.push([path, name])
  }
  return paths
}

/** Where Node finds the package `name` for the package at `from`. Nothing for an optional peer that no package of ours needs. */
function found(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (packages[path] !== undefined) return path
    if (at === '') return undefined
  }
}

/**
 * Files in packages that no command of ours reads: headers for C programs, a second form for `require` or for WebAssembly, sources,
 * documents.
 */
const unread = {
  '@base-ui/react': ['docs'],
  '@speed-highlight/core': ['src', 'dist/node', 'dist/themes'],
  '@tailwindcss/oxide-wasm32-wasi': [
    'tailwindcss-oxide.wasm32-wasi.wasm',
    'node_modules/@emnapi/core/dist',
    'node_modules/@emnapi/runtime/dist',
    'node_modules/@napi-rs/wasm-runtime/dist',
    'node_modules/@tybys/wasm-util/lib',
  ],
  marked: ['lib/marked.umd.js'],
  minisearch: ['src', 'dist/cjs', 'dist/umd'],
  ox: ['_cjs'],
  viem: ['_cjs'],
  zod: ['src'],
}

/** Removes what is not read: about 100 MB, most of it Node's headers. Also the maps from packages to their sources. */
export function trim(modules) {
  const ofNode = readdirSync(modules).filter((each) => /^node-(linux|darwin)-/.test(each))
  const folders = { ...unread, ...Object.fromEntries(ofNode.map((name) => [name, ['include', 'share']])) }
  for (const [name, parts] of Object.entries(folders))
    for (const part of parts) rmSync(join(modules, name, part), { recursive: true, force: true })
  removeMaps(modules)
}

function removeMaps(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const inside = join(folder, entry.name)
    // Names with a dot in front are our own: compiled modules, the browser of the tests.
    if (entry.isDirectory() && !entry.name.startsWith('.')) removeMaps(inside)
    else if (entry.isFile() && /\.[cm]?[jt]s\.map$|\.css\.map$/.test(entry.name)) rmSync(inside)
  }
}

/** The disk space of a folder's files, in blocks of 4,096 bytes. Files may appear and disappear while it is measured. */
export function bytesOnDisk(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
      const inside = join(folder, entry.name)
      if (entry.isDirectory()) return sum + bytesOnDisk(inside)
      if (!entry.isFile()) return sum
      return sum + 4096 * Math.ceil((statSync(inside, { throwIfNoEntry: false })?.size ?? 0) / 4096)
    }, 0)
  } catch {
    return 0
  }
}
