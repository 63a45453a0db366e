// The page of a method says what each scenario of the sandbox does: all that the payer has, and no other one.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { railModules } from '#/rails/registry.ts'
import { createPayers, sandboxProviders } from '#/sandbox/methods/all.ts'
import type { PayerDeps } from '#/sandbox/methods/method.ts'
import type { RunningProvider } from '#/sandbox/methods/provider.ts'
import { partly } from '../partly.ts'
import { root } from './page.ts'

const running = new Map(sandboxProviders.map((each) => [each, partly<RunningProvider>({})]))
const payers = createPayers(partly<PayerDeps>({}), running)
const pages = globSync('docs/methods/*.md', { cwd: root }).map((file) =>
  readFileSync(join(root, file), 'utf8'),
)

for (const method of railModules.flatMap((each) => each.methods))
  test(`the page of ${method} names each of its scenarios, and no other one`, () => {
    const page = pages.find((each) => each.includes(`\`["${method}"]\``)) ?? assert.fail()
    const play = page.split(/^## /m).find((part) => part.startsWith('Play the payer')) ?? ''
    const scenarios = payers.get(method)?.scenarios ?? []
    assert.ok(scenarios.length > 1)
    for (const each of scenarios) assert.ok(play.includes(`\`${each}\``), each)
    const rows = [...play.matchAll(/^\| `([a-z_]+)` \| (?!What)/gm)].map(([, name = '']) => name)
    assert.deepEqual(
      rows.filter((name) => !scenarios.includes(name)),
      [],
    )
  })
