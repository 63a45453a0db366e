// A release from git in a folder of its own, with its Node and packages.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** The output of git, or undefined when it fails. */
export function git(...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Puts the tree of `commit` into `folder`, which must not exist yet, with the packages that it requires. */
export function checkOut(commit: string, folder: string): void {
  mkdirSync(folder)
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  installIn(folder)
}

/** Links ours when they are the same, otherwise installs its own from npm. */
function installIn(folder: string): void {
  const [theirs, ours] = [folder, root].map((each) => readFileSync(join(each, 'package-lock.json'), 'utf8'))
  if (theirs === ours) return symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  // Its own program installs what is missing before it does anything.
  execFileSync(join(folder, 'vintem'), ['help'], { cwd: folder, stdio: 'pipe' })
}
