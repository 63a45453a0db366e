// One merchant: its state, what stops its money, its wallets, fees, limits and allowed destinations.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { OperatorMerchant, Role } from '../../api/generated.ts'
import type { OneTimeLink, WholeMerchant, MerchantWallet } from '../../api/operator-records.ts'
import { useRead } from '../../api/queries.ts'
import { useMayOperate, useParam } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Definitions, timeOf } from '../../kit/facts.tsx'
import { named, useDraft } from '../../kit/form.tsx'
import { Icon, type IconName } from '../../kit/icons.tsx'
import { MoreMenu } from '../../kit/menu.tsx'
import { Money } from '../../kit/money.tsx'
import { Card } from '../../kit/page.tsx'
import { RecordList, useAllRecords } from '../../kit/record-list.tsx'
import { Beside, RecordPage } from '../../kit/record-page.tsx'
import { operatorMerchantWords } from '../../words/operator-merchants.ts'
import { operatorWords } from '../../words/operator.ts'
import { useWords } from '../../words/reader.ts'
import { subAccountWords } from '../../words/sub-accounts.ts'
import { SubAccountBadge } from '../sub-accounts/list.tsx'
import { OperatorDialog, ShownOnce, OperatorButton } from './action-dialog.tsx'
import { MerchantFees } from './merchant-fees.tsx'
import { MerchantDestinations, MerchantLimits } from './merchant-limits.tsx'
import { MerchantState } from './merchants.tsx'
import { Line, ModeBadge, OnlyCommand } from './parts.tsx'

export function OperatorMerchant() {
  const words = useWords(operatorMerchantWords)
  const shared = useWords(operatorWords)
  const id = useParam('id')
  return (
    <RecordPage
      of={useRead('getMerchant', { id })}
      kind={shared.merchant}
      back={{ to: '/operator/merchants', label: words.title }}
      head={(merchant) => ({
        name: merchant.name,
        badges: (
          <>
            <MerchantState merchant={merchant} />
            <ModeBadge mode={merchant.mode} />
          </>
        ),
        id: [merchant.id, shared.id],
        actions: <MerchantActions merchant={merchant} />,
      })}
    >
      {(merchant) => (
        <Beside side={<MerchantFacts merchant={merchant} />}>
          <Freezes merchant={merchant} />
          <MerchantWallets id={id} />
          <MerchantFees id={id} />
          <MerchantLimits id={id} />
          <MerchantDestinations id={id} />
        </Beside>
      )}
    </RecordPage>
  )
}

function MerchantFacts({ merchant }: { readonly merchant: WholeMerchant }) {
  const words = useWords(operatorMerchantWords)
  const shared = useWords(operatorWords)
  const subAccounts = useWords(subAccountWords)
  const { subAccount } = merchant
  return (
    <Card title={words.facts}>
      <Definitions
        items={[
          [shared.created, timeOf(merchant.createdAt)],
          [words.keys, <span className="figures">{merchant.keysInForce}</span>],
          subAccount !== undefined && [
            words.parent,
            <Link to={`/operator/merchants/${subAccount.parentId}`} className="font-mono underline">
              …{subAccount.parentId.slice(-8)}
            </Link>,
          ],
          subAccount !== undefined && [subAccounts.state, <SubAccountBadge state={subAccount.state} />],
        ]}
      />
      <OnlyCommand why="keys" commands={[`key list ${merchant.id}`, `key create ${merchant.id}`]} />
    </Card>
  )
}

function Freezes({ merchant }: { readonly merchant: WholeMerchant }) {
  const words = useWords(operatorMerchantWords)
  if (merchant.freezes.length === 0) return null
  return (
    <Card title={words.frozenTitle} flush>
      <ul>
        {merchant.freezes.map((freeze) => (
          <Line key={`${freeze.kind} ${freeze.at}`}>
            <Icon name="alert" className="text-bad" />
            <span className="min-w-0 flex-1 basis-48 break-words">
              <span className="font-strong">{words.frozenKinds[freeze.kind]}</span> · {freeze.reason}
            </span>
            <span className="text-ink-soft">
              {freeze.decidedBy} · {timeOf(freeze.at)}
            </span>
          </Line>
        ))}
      </ul>
    </Card>
  )
}

const calls = {
  activate: 'activateSubAccount',
  close: 'closeSubAccount',
  suspend: 'suspendMerchant',
  resume: 'resumeMerchant',
  freeze: 'freezeMerchant',
  unfreeze: 'unfreezeMerchant',
} as const
type Action = keyof typeof calls | 'rotate' | 'invite'

function MerchantActions({ merchant }: { readonly merchant: WholeMerchant }) {
  const words = useWords(operatorMerchantWords)
  const may = useMayOperate()
  const [action, setAction] = useState<Action>()
  const close = () => setAction(undefined)
  const isSuspended = merchant.freezes.some(({ kind }) => kind === 'SUSPENSION')
  const isFrozen = merchant.freezes.some(({ kind }) => kind === 'FREEZE')
  const account = merchant.subAccount?.state
  const entry = (word: Action, icon: IconName, danger: boolean) => ({
    label: words[word],
    icon,
    danger,
    onSelect: () => setAction(word),
  })
  return (
    <>
      {(account === 'PENDING' || account === 'SUSPENDED') && may('approve') && (
        <Button icon="check" onClick={() => setAction('activate')}>
          {words.activate}
        </Button>
      )}
      {isFrozen && may('approve') && <Button onClick={() => setAction('unfreeze')}>{words.unfreeze}</Button>}
      {isSuspended && may('approve') && (
        <Button icon="play" onClick={() => setAction('resume')}>
          {words.resume}
        </Button>
      )}
      {may('write') && (
        <Button variant="primary" icon="send" onClick={() => setAction('invite')}>
          {words.invite}
        </Button>
      )}
      <MoreMenu
        label={words.more}
        entries={[
          account !== undefined && account !== 'CLOSED' && may('approve') && entry('close', 'cross', true),
          !isSuspended && may('write') && entry('suspend', 'cross', true),
          !isFrozen && may('write') && entry('freeze', 'alert', true),
          may('write') && entry('rotate', 'key', false),
        ]}
      />
      {action === 'invite' && <InviteDialog merchant={merchant} onClose={close} />}
      {action === 'rotate' && <Rotate merchant={merchant} onClose={close} />}
      {action !== undefined && action !== 'invite' && action !== 'rotate' && (
        <OperatorDialog
          title={`${words[action]}: ${merchant.name}`}
          lead={words[`${action}Lead`](merchant.name)}
          act={words[action]}
          isDanger={action === 'close' || action === 'suspend' || action === 'freeze'}
          reason="needed"
          call={calls[action]}
          id={merchant.id}
          done={words[`${action}Done`]}
          onClose={close}
        />
      )}
    </>
  )
}

function Rotate({ merchant, onClose }: { readonly merchant: WholeMerchant; readonly onClose: () => void }) {
  const words = useWords(operatorMerchantWords)
  const [secret, setSecret] = useState<string>()
  if (secret !== undefined)
    return (
      <ShownOnce
        title={words.rotateDone}
        lead={words.secretLead}
        label={words.secret}
        value={secret}
        onClose={onClose}
      />
    )
  return (
    <OperatorDialog
      title={words.rotate}
      lead={words.rotateLead}
      act={words.rotate}
      reason="none"
      call="rotateMerchantWebhookSecret"
      id={merchant.id}
      onAnswer={({ webhookSecret }) => setSecret(webhookSecret)}
      onClose={onClose}
    />
  )
}

// Invites a person to a merchant, such as its first owner. The link is shown once.

const roles: readonly Role[] = ['OWNER', 'ADMIN', 'DEVELOPER', 'FINANCE', 'SUPPORT', 'VIEWER']

export function InviteDialog({
  merchant,
  onClose,
}: {
  readonly merchant: OperatorMerchant
  readonly onClose: () => void
}) {
  const words = useWords(operatorMerchantWords)
  const draft = useDraft({ email: '', role: 'OWNER' as Role })
  const { email, role } = draft.values
  const [link, setLink] = useState<OneTimeLink>()
  if (link !== undefined)
    return (
      <ShownOnce
        title={words.link}
        lead={words.linkLead(link.email)}
        label={words.link}
        value={link.url}
        onClose={onClose}
      />
    )
  return (
    <OperatorDialog
      title={words.invite}
      lead={words.inviteLead(merchant.name)}
      act={words.inviteMake}
      reason="none"
      call="inviteToMerchant"
      id={merchant.id}
      draft={draft}
      fields={[
        { name: 'email', label: words.email, type: 'email', autoFocus: true, autoComplete: 'off' },
        { name: 'role', label: words.role, options: named(roles, words.roles) },
      ]}
      body={() => ({ email: email.trim(), role })}
      onAnswer={setLink}
      onClose={onClose}
    />
  )
}

// The wallets of a merchant with their balances, and which one is the default of its currency.

function MerchantWallets({ id }: { readonly id: string }) {
  const words = useWords(operatorMerchantWords)
  const may = useMayOperate()
  return (
    <RecordList
      records={useAllRecords('listMerchantWallets', { id })}
      words={{ title: words.wallets, none: '' }}
      title={words.wallets}
      line={(wallet) => (
        <Line>
          <span className="min-w-0 flex-1 basis-40">
            <span className="font-strong break-words">{wallet.label}</span>{' '}
            {wallet.label !== wallet.currency && <span className="text-ink-soft">{wallet.currency} </span>}
            {wallet.isDefault && (
              <Badge tone="calm" icon="check">
                {words.isDefault}
              </Badge>
            )}
          </span>
          <Amounts wallet={wallet} />
          {!wallet.isDefault && wallet.isActive && may('write') && (
            <OperatorButton
              title={words.makeDefault}
              lead={words.makeDefaultLead(wallet.label, wallet.currency)}
              act={words.makeDefault}
              reason="maybe"
              call="makeDefaultWallet"
              id={wallet.id}
              done={words.makeDefaultDone}
            />
          )}
        </Line>
      )}
    />
  )
}

function Amounts({ wallet }: { readonly wallet: MerchantWallet }) {
  const words = useWords(operatorMerchantWords)
  const { currency } = wallet
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-0.5">
      {wallet.pendingBalance !== 0 && (
        <span className="text-ink-soft">
          {words.pending} <Money minor={wallet.pendingBalance} currency={currency} />
        </span>
      )}
      {wallet.heldBalance !== 0 && (
        <span className="text-ink-soft">
          {words.held} <Money minor={wallet.heldBalance} currency={currency} />
        </span>
      )}
      <span>
        <span className="aside">{words.available} </span>
        <Money minor={wallet.balance} currency={currency} className="font-strong" />
      </span>
    </span>
  )
}
