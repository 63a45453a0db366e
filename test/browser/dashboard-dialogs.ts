// The dialogs of the dashboard, by the file that writes them: on which screen each opens, and by which clicks.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

export type DialogRow = {
  /** Of the file, below web/dashboard. */
  readonly source: string
  /** As in the table of screens; `operator/…` is the operator's. */
  readonly screen: string
  /** The buttons, tabs and entries of menus that are pressed, one after another; or what else opens it. */
  readonly open: readonly string[] | ((page: Page) => Promise<void>)
}

const root = join(import.meta.dirname, '..', '..', 'web', 'dashboard')

/** The files that hold a dialog. */
export const dialogSources: readonly string[] = globSync('**/*.tsx', { cwd: root })
  .filter((file) => !/^kit\/(?:action-)?(?:dialog|form)/.test(file))
  .filter((file) =>
    /<(?:Dialog|(?:Action|Form|Operator|Secret)Dialog|(?:Action|Operator)Button|ShownOnce)\b/.test(
      readFileSync(join(root, file), 'utf8'),
    ),
  )
  .toSorted()

/** Those that no screen of a sandbox opens by clicks, and why. */
export const unreached: Readonly<Record<string, string>> = {
  'shell/step-up-dialog.tsx': 'needs a second factor: dashboard-people.test.ts examines it',
  'shell/shell.tsx': 'the navigation of a phone, examined on its width alone',
  'screens/templates/conflict.tsx':
    'needs a draft that somebody else saved: dashboard-drafts.test.ts examines it',
  'screens/operator/chain-wallets.tsx': 'needs a wallet of ours that stopped, or coins that nobody explains',
  'screens/operator/held-movements.tsx':
    'needs a movement that has the name of another one, or a transfer whose reference has a typo',
  'screens/operator/chains.tsx': 'needs a chain that is halted',
  'screens/operator/queues.tsx': 'needs a signal that could not be settled',
  'screens/operator/payouts.tsx': 'needs a payout that is stuck',
  'screens/operator/payment-files.tsx': 'needs payouts that wait for a file',
  'screens/settings/grants.tsx': 'of a sub-account’s own people: sub-account.ts examines it',
  'screens/sub-accounts/grants.tsx': 'needs a sub-account with a wallet: sub-account.ts examines it',
}

const row = (source: string, screen: string, ...open: readonly string[]): DialogRow => ({
  source: `screens/${source}.tsx`,
  screen,
  open,
})

const main = (page: Page) => page.getByRole('main')

/** Presses the button, tab or entry of this name. */
async function press(page: Page, name: string): Promise<void> {
  const isIn = { name, exact: true }
  const entry = page.getByRole('menuitem', isIn)
  const inMain = main(page).getByRole('button', isIn).or(main(page).getByRole('tab', { name }))
  await entry.or(inMain).first().click()
}

/** Opens the dialog of the row, on its screen. */
export async function openDialog(page: Page, { open }: DialogRow): Promise<void> {
  if (typeof open === 'function') await open(page)
  else for (const name of open) await press(page, name)
  await page.getByRole('dialog').first().waitFor()
}

/** A draft that differs from what is published. */
async function change(page: Page): Promise<void> {
  await page.getByLabel('Brand name').fill('Café da Serra Azul')
  await page.getByText('Draft saved', { exact: true }).waitFor()
}

export const dialogs: readonly DialogRow[] = [
  { source: 'shell/palette.tsx', screen: '', open: (page) => page.keyboard.press('Control+k') },
  row('payments/refund', 'payments/$paymentId', 'Refund'),
  row('payments/actions', 'payments/$APPROVED', 'Capture'),
  row('payments/actions', 'payments/$WAITING_PAYMENT', 'More actions', 'Cancel'),
  row('payments/actions', 'payments/$WAITING_PAYMENT', 'Simulate payment'),
  {
    ...row('payments/story', 'payments/$paymentId'),
    async open(page) {
      await press(page, 'Webhooks')
      await main(page)
        .getByRole('button', { name: /payment\./ })
        .first()
        .click()
    },
  },
  row('links/list', 'payment-links', 'New link'),
  row('links/list', 'payment-links/$linkId', 'Archive'),
  row('sub-accounts/list', 'sub-accounts', 'New sub-account'),
  row('sub-accounts/sub-account', 'sub-accounts/$subAccountId', 'Suspend'),
  row('sub-accounts/sub-account', 'sub-accounts/$subAccountId', 'New key'),
  row('templates/list', 'templates', 'New template'),
  row('templates/editor-header', 'templates/$slug', 'History'),
  {
    ...row('templates/editor-header', 'templates/$slug'),
    async open(page) {
      await change(page)
      await press(page, 'Review and publish')
    },
  },
  {
    ...row('templates/editor-header', 'templates/$slug'),
    async open(page) {
      await change(page)
      await main(page)
        .getByRole('button', { name: /^More actions/ })
        .click()
      await press(page, 'Discard draft')
    },
  },
  row('wallets/list', 'wallets', 'New wallet'),
  row('wallets/transfer', 'wallets', 'Transfer'),
  row('wallets/list', 'wallets/$walletId', 'Change'),
  row('withdrawals/decide', 'withdrawals/$withdrawalId', 'Approve'),
  row('withdrawals/withdrawal', 'withdrawals/$withdrawalId', 'Cancel withdrawal'),
  row('withdrawals/batches', 'withdrawals/batches/$batchId', 'Cancel the rest'),
  row('withdrawals/schedules', 'withdrawals/schedules', 'Expiration'),
  row('disputes/list', 'disputes/$disputeId', 'Accept dispute'),
  {
    ...row('disputes/evidence-form', 'disputes/$disputeId'),
    async open(page) {
      await page.getByLabel('What was sold').fill('Coffee, 1 kg')
      await press(page, 'Review and submit')
    },
  },
  row('developers/key-form', 'developers/keys', 'Create key'),
  { source: 'kit/csv-button.tsx', screen: 'payments', open: ['Download CSV'] },
  {
    source: 'kit/secret.tsx',
    screen: 'developers/keys',
    async open(page) {
      await press(page, 'Create key')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('Examined')
      await dialog.getByLabel('Payments: read').check()
      await dialog.getByRole('button', { name: 'Create key' }).click()
      await dialog.getByRole('button', { name: 'Done' }).waitFor()
    },
  },
  row('developers/key-form', 'developers/keys/$keyId', 'Rotate key'),
  row('developers/key-form', 'developers/keys/$keyId', 'Change'),
  row('developers/key-form', 'developers/keys/$keyId', 'Revoke'),
  row('developers/endpoints', 'developers/webhooks', 'Add webhook'),
  row('developers/endpoint', 'developers/webhooks/$endpointId', 'More actions', 'Rotate secret'),
  row('developers/endpoint', 'developers/webhooks/$endpointId', 'More actions', 'Disable'),
  row('developers/endpoint', 'developers/webhooks/$endpointId', 'More actions', 'Delete'),
  row('developers/recoveries', 'developers/webhooks/recoveries', 'Recover events'),
  row('developers/rehearsals', 'developers/test', 'Test integration'),
  row('settings/members', 'settings/members', 'Invite'),
  row('settings/members', 'settings/members', 'Cancel invitation'),
  row('settings/security', 'settings/security', 'Add a passkey'),
  row('settings/totp', 'settings/security', 'Turn on'),
  row('operator/merchants', 'operator/merchants', 'New merchant'),
  row('operator/merchant', 'operator/merchants/$id', 'More actions', 'Suspend'),
  row('operator/merchant', 'operator/merchants/$id', 'Invite a person'),
  {
    ...row('operator/action-dialog', 'operator/merchants/$id'),
    async open(page) {
      await press(page, 'Invite a person')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Email').fill('examined@example.com')
      await dialog.getByRole('button', { name: 'Create link' }).click()
      await dialog.getByText(/\/open#/).waitFor()
    },
  },
  row('developers/endpoints', 'developers/webhooks', 'Rotate secret'),
  row('operator/bank-files', 'operator/bank-files', 'Import files'),
  row('operator/merchant', 'operator/merchants/$id', 'Make default'),
  row('operator/merchant-fees', 'operator/merchants/$id', 'Set a fee'),
  row('operator/merchant-fees', 'operator/merchants/$id', 'History : Pix BRL'),
  row('operator/merchant-limits', 'operator/merchants/$id', 'Set limits'),
  row('operator/merchant-limits', 'operator/merchants/$id', 'Add a destination'),
  row('operator/freezes', 'operator/freezes', 'Freeze'),
  row('operator/connection', 'operator/connections/$id', 'More actions', 'Disable'),
  row('operator/jobs', 'operator/jobs', 'Run now : Compare balances'),
  row('operator/suspense', 'operator/suspense', 'Decide : R$12.34'),
  row('operator/approvals', 'operator/suspense', 'Cancel'),
  row('operator/user', 'operator/users/$id', 'Link for a new password'),
  {
    ...row('operator/audit', 'operator/audit'),
    open: (page) => main(page).locator('table, ul[aria-label]').getByRole('button').first().click(),
  },
]
