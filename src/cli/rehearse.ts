// `rehearse`: tests a merchant's own server with a script of deliveries, and shows case by case how it did.
import { given } from '#/kernel/given.ts'
import { toJson } from '#/kernel/json.ts'
import { printable, type Terminal } from '#/kernel/terminal.ts'
import { monotonicMs, secondMs, sleep } from '#/kernel/time.ts'
import { seedMax } from '#/rehearsals/begin.ts'
import { caseNames } from '#/rehearsals/case-texts.ts'
import type { CaseStatus } from '#/rehearsals/rehearsal.ts'
import { member } from '#/sandbox/member.ts'
import { ApiCallError, openApiClient, type ApiClient } from './api-client.ts'
import { runCommand, UsageError, type Call, type Command, type CommandDeps } from './command.ts'
import { untilTerminated } from './run.ts'

type Case = {
  readonly case: string
  readonly title: string
  readonly status: CaseStatus
  readonly expected: string
  readonly observed?: string
  readonly fix?: string
  readonly docs: string
}

type Rehearsal = {
  readonly id: string
  readonly status: string
  readonly url: string
  readonly stateUrl?: string
  readonly seed: number
  readonly passed: number
  readonly failed: number
  readonly notJudged: number
  readonly cases: readonly Case[]
}

const path = '/v1/sandbox/rehearsals'
const pollMs = 250
/** How long the API may be away meanwhile. */
const silenceMs = 30 * secondMs
const caseWidth = Math.max(...caseNames.map((each) => each.length))

/** The exit code is 0 when every case passed, and else 1. */
export async function rehearseCommand(
  args: readonly string[],
  terminal: Terminal,
  deps: CommandDeps,
): Promise<number> {
  let hasFailed = false
  const rehearse: Command = {
    summary:
      'Tests your own server: sends it good, forged, old, repeated and reordered webhooks, and says what to change',
    options: {
      url: { value: 'url', meaning: 'Your endpoint for webhooks. Default: that of the last rehearsal' },
      'state-url': {
        value: 'url',
        meaning: 'Where your server answers what it has made of a payment: without it effects are not judged',
      },
      seed: { value: 'number', meaning: 'Plays the same script again. Default: another one each time' },
      case: { value: 'list', meaning: 'Only these cases, with commas between them' },
    },
    async run(call) {
      const ended = await play(call)
      hasFailed = ended.status !== 'PASSED'
    },
  }
  const code = await runCommand('rehearse', rehearse, args, { terminal, deps })
  return code === 0 && hasFailed ? 1 : code
}

async function play(call: Call): Promise<Rehearsal> {
  const { terminal, json, deps } = call
  const options = readOptions(call)
  const api = await openApiClient(deps.config())
  const body = { ...(options.url === undefined ? await lastUrls(api) : {}), ...options }
  // Handled from here on, so that Ctrl-C also cancels a rehearsal whose creation has not been answered yet.
  const { signal } = untilTerminated()
  const started = (await api.call('POST', path, { body })) as Rehearsal
  if (!json) announce(terminal, started)
  const ended = await follow(call, { api, signal }, started)
  if (json) terminal.out(toJson(ended))
  else conclude(terminal, ended)
  return ended
}

function readOptions({ option }: Call) {
  const remedy = 'See ./vintem rehearse --help.'
  const seed = option('seed')
  if (seed !== undefined && !(/^\d{1,10}$/.test(seed) && Number(seed) <= seedMax))
    throw new UsageError(`--seed ${seed} is no number from 0 to ${seedMax}.`, remedy)
  const cases = option('case')?.toUpperCase().replaceAll('-', '_').split(',')
  const unknown = cases?.find((each) => !caseNames.some((known) => known === each))
  if (unknown !== undefined)
    throw new UsageError(`"${unknown}" is no case.`, `They are ${caseNames.join(', ')}.`)
  const [url, stateUrl] = [option('url'), option('state-url')]
  return {
    ...given({ url, stateUrl }),
    ...(seed === undefined ? {} : { seed: Number(seed) }),
    ...given({ cases }),
  }
}

/** The URLs of the last rehearsal. */
async function lastUrls(api: ApiClient): Promise<{ readonly url: string; readonly stateUrl?: string }> {
  const data = member(await api.call('GET', `${path}?limit=1`), 'data')
  const last: unknown = Array.isArray(data) ? data[0] : undefined
  const [url, stateUrl] = [member(last, 'url'), member(last, 'stateUrl')]
  if (typeof url !== 'string')
    throw new UsageError('There was no rehearsal yet.', 'Say where your server is: --url https://….')
  return { url, ...(typeof stateUrl === 'string' ? { stateUrl } : {}) }
}

/** Shows each case when it has its result, until the rehearsal has ended. Ctrl-C cancels it. */
async function follow(
  { terminal, json }: Call,
  { api, signal }: { readonly api: ApiClient; readonly signal: AbortSignal },
  started: Rehearsal,
): Promise<Rehearsal> {
  const shown = new Set<string>()
  let isCanceled = false
  let heardMs = monotonicMs()
  for (;;) {
    if (signal.aborted && !isCanceled) {
      isCanceled = true
      // Refused when it has just ended.
      await api.call('POST', `${path}/${started.id}/cancel`).catch(() => {})
    }
    const now = await api.call('GET', `${path}/${started.id}`).catch((error: unknown) => {
      if (!mayPass(error) || monotonicMs() - heardMs > silenceMs) throw error
      return undefined
    })
    if (now !== undefined) {
      heardMs = monotonicMs()
      const current = now as Rehearsal
      if (!json) showNew(terminal, current, shown)
      if (current.status !== 'RUNNING') return current
    }
    await sleep(pollMs, isCanceled ? undefined : signal)
  }
}

function mayPass(error: unknown): boolean {
  return error instanceof ApiCallError && (error.status === 0 || error.status === 429 || error.status >= 500)
}

function announce({ out, paint }: Terminal, { url, stateUrl, seed, cases }: Rehearsal): void {
  out(`${paint.strong('Rehearsing')} ${cases.length} cases with seed ${seed}. Ctrl-C cancels it.`)
  out(`${paint.soft('Webhooks to')}  ${printable(url)}`)
  out(
    `${paint.soft('State from')}   ${stateUrl === undefined ? 'nowhere: effects are not judged' : printable(stateUrl)}`,
  )
  out()
}

function showNew(terminal: Terminal, { cases }: Rehearsal, shown: Set<string>): void {
  for (const each of cases) {
    if (each.status === 'WAITING' || each.status === 'RUNNING' || shown.has(each.case)) continue
    shown.add(each.case)
    terminal.out(lineOf(terminal, each))
  }
  const running = cases.find(({ status }) => status === 'RUNNING')
  if (running !== undefined)
    terminal.progress(`  ${shown.size} of ${cases.length}  ${running.case}  ${running.title}`)
}

function lineOf({ paint, symbols }: Terminal, { case: name, title, status }: Case): string {
  const padded = name.padEnd(caseWidth)
  if (status === 'PASSED') return `${paint.good(symbols.done)} ${padded}  ${title}`
  if (status === 'FAILED') return `${paint.bad(symbols.fail)} ${padded}  ${title}`
  return `- ${padded}  ${title}  ${paint.soft(status === 'SKIPPED' ? 'skipped' : 'not judged')}`
}

/** What to change, and why something was not judged; then the sum. */
function conclude(terminal: Terminal, { status, cases, passed, failed, notJudged, seed }: Rehearsal): void {
  const { out, paint } = terminal
  for (const each of cases.filter((one) => one.status === 'FAILED')) {
    out()
    out(paint.strong(`${each.case}: ${each.title}`))
    out(`  ${paint.soft('Expected')}  ${each.expected}`)
    out(`  ${paint.soft('Observed')}  ${printable(each.observed ?? '')}`)
    out(`  ${paint.soft('Fix')}       ${each.fix ?? ''}`)
    out(`  ${paint.soft('More')}      ${each.docs}`)
  }
  const reasons = cases.flatMap((one) =>
    one.status === 'NOT_JUDGED' || one.status === 'SKIPPED' ? [printable(one.observed ?? '')] : [],
  )
  if (reasons.length > 0) out()
  for (const reason of new Set(reasons)) out(`${paint.soft('Not judged:')} ${reason}`)
  out()
  const sum = `${passed} passed, ${failed} failed, ${notJudged} not judged`
  const word = status === 'PASSED' ? paint.good(status) : paint.bad(status)
  out(`${word}: ${sum}. ${paint.soft(`--seed ${seed} plays the same script again.`)}`)
}
