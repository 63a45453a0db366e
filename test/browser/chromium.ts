// A real browser for tests: the Chromium from an npm package, with its own fonts, so that pictures are alike everywhere.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import packed, { inflate } from '@sparticuz/chromium'
import { chromium as playwright, type Browser } from 'playwright-core'

/** The folder of the package, and the folder of all packages. */
const packageFolder = fileURLToPath(new URL('../', import.meta.resolve('@sparticuz/chromium')))
const modulesFolder = join(packageFolder, '..', '..')

/** The browser connects only to the pages under test. */
const flags = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--font-render-hinting=none',
  '--no-first-run',
  '--no-pings',
]

/** The end of every wait in a page. It only ends a test that hangs; it asserts no speed. */
const patienceMs = 90_000

/**
 * Starts a browser without a window. CHROMIUM_PATH names another browser, for platforms without a build in the package.
 * Close it: `await using browser = await startBrowser()`.
 */
export async function startBrowser(): Promise<Browser> {
  const browser = await launch()
  browser.on('context', (context) => context.setDefaultTimeout(patienceMs))
  return browser
}

async function launch(): Promise<Browser> {
  const given = process.env['CHROMIUM_PATH']
  if (given !== undefined) return playwright.launch({ executablePath: given, args: flags })
  const folder = await unpackBrowser()
  const env = { ...process.env, FONTCONFIG_FILE: join(folder, 'fonts.conf') }
  const options = { executablePath: join(folder, 'chromium'), args: flags }
  try {
    return await playwright.launch({ ...options, env })
  } catch (error) {
    if (!String(error).includes('shared libraries')) throw error
    return playwright.launch({ ...options, env: { ...env, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') } })
  }
}

/**
 * Unpacks the browser once for each clone and version, beside the installed package, and returns its path. The folder is
 * renamed into place when it is complete, so that parallel runs never find a part of it.
 */
export async function unpackBrowser(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string
  }
  const folder = join(modulesFolder, `.vintem-chromium-${version}`)
  if (existsSync(folder)) {
    await writeFonts(folder)
    return folder
  }
  const fresh = await mkdtemp(`${folder}-`)
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = fresh
  try {
    await packed.executablePath()
    await inflate(join(packageFolder, 'bin', 'al2023.tar.br'))
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
  await mkdir(join(fresh, 'cache'))
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true }))
  await writeFonts(folder)
  return folder
}

/** Names the fonts by their whole paths, which change when the clone is moved or copied. */
async function writeFonts(folder: string): Promise<void> {
  const [file, conf] = [join(folder, 'fonts.conf'), fontsConf(folder)]
  if ((await readFile(file, 'utf8').catch(() => '')) === conf) return
  const draft = `${file}-${process.pid}`
  await writeFile(draft, conf)
  await rename(draft, file)
}

/** The package's Open Sans for the system's font, and the machine's own fonts for code and symbols. */
function fontsConf(folder: string): string {
  const prefer = (generic: string, family: string) =>
    `<alias binding="same"><family>${generic}</family><prefer><family>${family}</family></prefer></alias>`
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/cache</cachedir>
  ${prefer('system-ui', 'Open Sans')}
  ${prefer('sans-serif', 'Open Sans')}
  ${prefer('monospace', 'DejaVu Sans Mono')}
</fontconfig>
`
}
