import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { must } from '#/kernel/check.ts'
import { guardEnvironment, readReports, type GuardReport } from '../laws/network-reports.ts'
import { share } from '../share-in-process.ts'
import { createInstallation, type Env, type Installation } from './installation.ts'

/** Reconciliation runs often, so it soon finds what no callback reported. */
const usual: Env = { VINTEM_RECONCILE_SECONDS: '2' }

/** With the most detailed log. */
export const talkative: Env = { ...usual, VINTEM_LOG_LEVEL: 'debug' }

/** For journeys that kill what the server needs. Callbacks may come by a proxy. */
export const behindProxy: Env = {
  ...usual,
  VINTEM_TRUSTED_PROXIES: '127.0.0.0/8',
  VINTEM_CALLBACK_PROXY_HEADER: 'X-Client-Verify: SUCCESS',
}

/** For a journey in which the chain is away: coins stay at their deposit addresses. */
export const withoutSweeps: Env = { ...usual, VINTEM_SWEEP_MIN: '999999999' }

const reports = new Map<Installation, string>()
const statementFolders = new Map<Installation, string>()

/**
 * A started installation with these settings, which all test files of this process share. It ends after the last of them, and then the run
 * fails if its server made a network call inside a transaction (law 3).
 */
export function sharedInstallation(env: Env = usual): Promise<Installation> {
  return share(`installation ${JSON.stringify(env)}`, async () => {
    // If it does not start, it is ended here: no caller has it yet.
    await using opened = new AsyncDisposableStack()
    const folder = mkdtempSync(join(tmpdir(), 'vintem-reports-'))
    opened.defer(() => rmSync(folder, { recursive: true, force: true }))
    opened.defer(() => assert.deepEqual(readReports(folder).violations, []))
    const statements = mkdtempSync(join(tmpdir(), 'vintem-statements-'))
    opened.defer(() => rmSync(statements, { recursive: true, force: true }))
    const ofServer = { ...guardEnvironment(folder), VINTEM_STATEMENT_FOLDER: statements }
    const installation = opened.use(await createInstallation(env, { ofServer }))
    await installation.start()
    const all = opened.move()
    const shared = { ...installation, [Symbol.asyncDispose]: () => all.disposeAsync() }
    reports.set(shared, folder)
    statementFolders.set(shared, statements)
    return shared
  })
}

/** The folder in which a shared installation's worker looks for files of banks. */
export function statementFolderOf(installation: Installation): string {
  return must(statementFolders.get(installation), 'a shared installation')
}

/** What the servers of a shared installation have reported. A server reports when it ends, unless it was killed. */
export function networkReportsOf(installation: Installation): GuardReport {
  return readReports(must(reports.get(installation), 'a shared installation'))
}
