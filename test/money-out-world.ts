// After a restore: a bank that has sent what the books do not have, and two people of the operator who run commands.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import type { CommandDeps } from '#/cli/command.ts'
import { restoredCommand } from '#/cli/restored.ts'
import { suspenseCommand } from '#/cli/suspense.ts'
import { readConfig } from '#/config.ts'
import { must } from '#/kernel/check.ts'
import { newId, type AttemptId, type RefundId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { addMs, hourMs, systemClock } from '#/kernel/time.ts'
import type { NewConnection } from '#/merchants/connections.ts'
import { beginRepair } from '#/restored/begin.ts'
import { asId } from './as-id.ts'
import { asUser } from './as-user.ts'
import { eventually } from './eventually.ts'
import { addPayoutConnection, addWorldConnection, requestPixWithdrawal } from './pix-payouts.ts'
import { openPixWorld } from './pix-world.ts'
import { startPixBank } from './rails/pix/bank.ts'
import { openPayingAccount } from './rails/pix/payout.ts'
import { sumsOfAccounts } from './sums-of-accounts.ts'
import { worldKeys } from './world-keys.ts'

export type Person = 'ana' | 'bia'
export type Group = 'restored' | 'suspense'

/** What `suspense sent --json` lists. */
export type Found = {
  readonly id: string
  readonly kind: string
  readonly reference: string
  readonly amount: number
  readonly merchantId?: string
}

export const hex = (id: string) => id.replaceAll('-', '')

export async function openMoneyOutWorld() {
  const folder = mkdtempSync(join(os.tmpdir(), 'vintem-money-out-'))
  const bank = await startPixBank({ magic: true })
  const paying = await openPayingAccount(bank)
  const base = await openPixWorld(await bank.customer())
  const { core, merchant } = base

  /** A connection that sends; what it sends leaves the account of `account`. */
  const addPayouts = (more: Readonly<Record<string, unknown>>) => addPayoutConnection(core, paying, more)
  const addTo = (method: string, more?: Partial<NewConnection>) => addWorldConnection(core, method, more)
  const payouts = await addPayouts({ account: base.connection })

  /** Runs a command as this user of the system. */
  async function run(person: Person, group: Group, ...args: readonly string[]) {
    const printed = { out: '', err: '' }
    const stdout = { write: (text: string) => (printed.out += text) }
    const stderr = { write: (text: string) => (printed.err += text) }
    const config = () =>
      readConfig({
        ...worldKeys,
        DATABASE_URL: base.appUrl,
        VINTEM_DATA_DIR: folder,
        VINTEM_LOG_LEVEL: 'silent',
        VINTEM_SANDBOX: 'off',
      })
    const deps: CommandDeps = { config, open: () => assert.fail('no office is needed') }
    const command = group === 'restored' ? restoredCommand : suspenseCommand
    const terminal = createTerminal({ stdout, stderr }, { LANG: 'C' })
    const code = await asUser(person, () => command(args, terminal, deps, silentLog))
    return { code, ...printed }
  }

  async function done(person: Person, group: Group, ...args: readonly string[]): Promise<string> {
    const { code, out, err } = await run(person, group, ...args)
    assert.equal(code, 0, err)
    return out
  }

  return {
    bank,
    base,
    payouts,
    addPayouts,
    addTo,
    done,
    async refusedWith(expected: RegExp, ...call: Parameters<typeof run>): Promise<void> {
      const { code, err } = await run(...call)
      assert.notEqual(code, 0, `${call.join(' ')} was done`)
      assert.match(err, expected)
    },
    listed: async (...args: readonly string[]) =>
      JSON.parse(await done('ana', 'suspense', 'sent', '--json', ...args)) as readonly Found[],
    /** Requests a decision. Returns the id of the request. */
    async requested(person: Person, ...args: readonly string[]): Promise<string> {
      const said = await done(person, 'suspense', ...args, '--reason', 'as the bank lists it', '--json')
      return (JSON.parse(said) as { readonly request: string }).request
    },
    /** A payment that was paid, and that the books have. */
    async pay() {
      const { payment } = await base.create()
      const pix = await bank.pay(await base.txidOf(payment), { webhook: 'lose' })
      await base.callback({ pix })
      return { id: payment.id, endToEndId: must(pix[0], 'it was paid').endToEndId }
    },
    /** A charge that the bank has, that was paid there, and that no record has. */
    async lostPayment(minor: bigint): Promise<{ readonly attempt: AttemptId; readonly endToEndId: string }> {
      const id = newId<'attempt'>()
      const { opens } = must(core.rails.get('PIX'), 'PIX receives')
      assert.equal(opens.at, 'REQUEST')
      const opened = await opens.open({
        id,
        merchantId: merchant.id,
        paymentId: newId<'payment'>(),
        method: 'PIX',
        connection: base.connection,
        amount: { minor, currency: 'BRL' },
        expiresAt: addMs(systemClock.now(), hourMs),
      })
      assert.equal(opened.ok, true)
      return { attempt: id, endToEndId: await bank.paid(hex(id), { webhook: 'lose' }) }
    },
    /** A refund that the bank carries out, and that no record has. */
    async lostRefund(attempt: string, paidRef: string, minor: bigint): Promise<RefundId> {
      const id = newId<'refund'>()
      const refunds = must(core.rails.get('PIX')?.refunds, 'PIX refunds')
      const order = {
        id,
        attempt: { id: asId<'attempt'>(attempt), merchantId: merchant.id, paymentId: newId<'payment'>() },
        connection: base.connection,
        paidRef,
        amount: { minor, currency: 'BRL' as const },
      }
      await refunds.send(order, false)
      await eventually('the bank has refunded', async () => (await refunds.send(order, true)).length > 0)
      return id
    },
    /** A payout that the bank was sent, in this state there. Returns its reference. */
    async lostPayout(
      pixKey: string,
      minor: bigint,
      {
        reference = hex(newId()),
        state = 'done',
      }: { readonly reference?: string; readonly state?: string } = {},
    ): Promise<string> {
      const rail = must(core.payoutRails.get('PIX'), 'PIX pays out')
      const order = {
        id: newId<'withdrawal'>(),
        merchantId: merchant.id,
        reference,
        connection: payouts,
        amount: { minor, currency: 'BRL' as const },
        destination: { pixKey, pixKeyType: 'EMAIL' },
      }
      await rail.send(order, false)
      await eventually(`it is ${state}`, async () => (await rail.check?.(order))?.state === state)
      return reference
    },
    /** A withdrawal of the books that was never sent, as far as they know. Returns its reference. */
    async withdrawal(minor: number): Promise<string> {
      const verdict = await requestPixWithdrawal(core, merchant, { connection: payouts, minor })
      assert.equal(verdict.kind, 'created')
      return verdict.withdrawal.reference
    },
    /** Ana begins the repair, up to where processes may start. */
    async begin(): Promise<void> {
      const name = `ana@${os.hostname()}`
      const by = { actor: { kind: 'OPERATOR', id: name } } as const
      await beginRepair(core, { by, name, reason: 'disk lost', eventJump: 1_000n })
      for (const subject of ['keys', 'roles', 'limits', 'destinations']) {
        const rows = JSON.parse(await done('ana', 'restored', 'list', subject, '--json')) as unknown[]
        await done('ana', 'restored', 'confirm', subject, '--seen', String(rows.length), '--note', 'the log')
      }
    },
    async sums() {
      const sum = await sumsOfAccounts(core.sql)
      return {
        unrecorded: sum(/^unrecorded:/),
        provider: sum(/^provider:/),
        available: sum(/:available$/),
        suspense: sum(/^suspense:/),
        loss: sum(/^cost:loss:/),
        receivable: sum(/^receivable:/),
      }
    },
    faults: async () => (await base.verify()).faults.map(({ row, what }) => `${row} ${what}`),
    async [Symbol.asyncDispose]() {
      await base[Symbol.asyncDispose]()
      await paying.stop()
      await bank[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
