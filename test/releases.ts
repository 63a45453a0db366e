// A release from git in a folder of its own, with what it runs on.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** What git says, or undefined when it refuses. */
export function askGit(...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Puts the tree of `commit` into `folder`, which must not be there yet, with the packages that it asks for. */
export function checkOut(commit: string, folder: string): void {
  mkdirSync(folder)
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  installIn(folder)
}

/** Ours when they are the same, otherwise its own from npm. */
function installIn(folder: string): void {
  const [theirs, ours] = [folder, root].map((each) => readFileSync(join(each, 'package-lock.json'), 'utf8'))
  if (theirs === ours) return symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  // Its own program installs what is missing before it does anything.
  execFileSync(join(folder, 'vintem'), ['help'], { cwd: folder, stdio: 'pipe' })
}
