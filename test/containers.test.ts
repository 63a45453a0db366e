// What a container is made of, read without Docker. `npm run test:tools containers` lays out the image and starts it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { dashboardSources } from '../web/build-dashboard.ts'
import { docsSources } from '../web/build-docs.ts'
import { checkoutSources } from '../web/build.ts'
import { contextOf, readStages } from './tools/docker-files.ts'

const read = (name: string) => readFileSync(join(import.meta.dirname, '..', name), 'utf8')
const sources = [...checkoutSources, ...dashboardSources, ...docsSources]

test('the last pattern that matches decides what a build of the image gets', () => {
  const belongs = contextOf('# a comment\nsdk\n!sdk/a/README.md\n**/node_modules\nweb/dist*\n.env?\n')
  const paths = [
    'sdk/a/README.md',
    'sdk/b/README.md',
    'src/sdk/x.ts',
    'a/b/node_modules/c',
    'web/dist-docs/x',
    'web/docs/x',
    '.env1',
    '.env',
  ]
  assert.deepEqual(paths.filter(belongs), ['sdk/a/README.md', 'src/sdk/x.ts', 'web/docs/x', '.env'])
})

test('everything that pages are made of reaches the build of the image', () => {
  const belongs = contextOf(read('.dockerignore'))
  assert.deepEqual(
    sources.filter((path) => !belongs(path)),
    [],
  )
  // Keys of a sandbox do not.
  assert.equal(belongs('.vintem/keys'), false)
})

test('the image has everything with which an API compares the pages that it serves', () => {
  const last = readStages(read('Dockerfile')).at(-1)
  const copied = (last?.steps ?? []).flatMap((step) => (step.kind === 'copy' ? step.sources : []))
  assert.deepEqual(
    sources.filter(
      (path) =>
        !copied.some((each) => `/vintem/${path}` === each || `/vintem/${path}`.startsWith(`${each}/`)),
    ),
    [],
  )
})

test('every supervisor of ours waits as long as an API may take to leave', () => {
  // Decision 149: 20 s in which the balancer notices, 15 for the last requests, and a margin.
  const waits = [
    ...read('compose.yaml').matchAll(/^ +stop_grace_period: (\d+)s$/gm),
    ...read('ops/systemd/vintem@.service').matchAll(/^TimeoutStopSec=(\d+)$/gm),
    ...read('ops/systemd/vintem-signer.service').matchAll(/^TimeoutStopSec=(\d+)$/gm),
  ].map(([, seconds]) => Number(seconds))
  assert.deepEqual(waits, [60, 60, 60])
})

test('what a container keeps is no temporary file', () => {
  const last = readStages(read('Dockerfile')).at(-1)
  assert.equal(last?.env['VINTEM_DATA_DIR'], '/var/lib/vintem')
  const made = last?.steps.some((step) => step.kind === 'run' && step.command.includes(' /var/lib/vintem'))
  assert.ok(made, 'a folder of the user of the image')
})
