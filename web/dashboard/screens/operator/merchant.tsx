// One merchant: its state, what stops its money, its wallets, fees, limits and allowed destinations.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useParam } from '../../api/address.ts'
import type { OperatorMerchant, Role } from '../../api/generated.ts'
import type { OneTimeLink, WholeMerchant } from '../../api/operator-records.ts'
import { useMayOperate } from '../../api/operator.ts'
import { faultOf } from '../../api/problem.ts'
import { useRead } from '../../api/queries.ts'
import { Button, buttonClass } from '../../kit/button.tsx'
import { LoadingOrFault } from '../../kit/fault.tsx'
import { TextField } from '../../kit/field.tsx'
import { Icon } from '../../kit/icons.tsx'
import { Menu } from '../../kit/menu.tsx'
import { Card, Definitions, PageHeader } from '../../kit/page.tsx'
import { NameTitle, RecordId } from '../../kit/record-head.tsx'
import { SelectField } from '../../kit/select.tsx'
import { Time } from '../../kit/time.tsx'
import { operatorMerchantWords } from '../../words/operator-merchants.ts'
import { operatorWords } from '../../words/operator.ts'
import { useWords } from '../../words/reader.ts'
import { subAccountWords } from '../../words/sub-accounts.ts'
import { SubAccountBadge } from '../sub-accounts/list.tsx'
import { ActionDialog, ShownOnce } from './action-dialog.tsx'
import { MerchantFees } from './merchant-fees.tsx'
import { MerchantDestinations, MerchantLimits } from './merchant-limits.tsx'
import { MerchantWallets } from './merchant-wallets.tsx'
import { MerchantState } from './merchants.tsx'
import { Line, ModeBadge, OnlyCommand } from './parts.tsx'

export function OperatorMerchant() {
  const words = useWords(operatorMerchantWords)
  const shared = useWords(operatorWords)
  const subAccounts = useWords(subAccountWords)
  const id = useParam('id')
  const { data: merchant, error, refetch } = useRead('getMerchant', { id })
  const back = { to: '/operator/merchants', label: words.title }
  if (merchant === undefined)
    return (
      <>
        <PageHeader title={shared.merchant} back={back} />
        <LoadingOrFault error={error} onRetry={() => void refetch()} />
      </>
    )
  return (
    <>
      <PageHeader
        back={back}
        titleText={merchant.name}
        title={
          <NameTitle name={merchant.name}>
            <MerchantState merchant={merchant} />
            <ModeBadge mode={merchant.mode} />
          </NameTitle>
        }
        lead={<RecordId value={merchant.id} what={shared.id} />}
        actions={<MerchantActions merchant={merchant} />}
      />
      <div className="grid grid-cols-1 items-start gap-6 md:grid-cols-[minmax(0,1fr)_320px] phone:gap-4">
        <div className="flex min-w-0 flex-col gap-6 phone:gap-4">
          <Freezes merchant={merchant} />
          <MerchantWallets id={id} />
          <MerchantFees id={id} />
          <MerchantLimits id={id} />
          <MerchantDestinations id={id} />
        </div>
        <Card title={words.facts}>
          <Definitions
            items={[
              [shared.created, <Time key="at" at={merchant.createdAt} />],
              [words.keys, <span className="figures">{merchant.keysInForce}</span>],
              merchant.subAccount !== undefined && [
                words.parent,
                <Link
                  key="parent"
                  to={`/operator/merchants/${merchant.subAccount.parentId}`}
                  className="font-mono underline"
                >
                  …{merchant.subAccount.parentId.slice(-8)}
                </Link>,
              ],
              merchant.subAccount !== undefined && [
                subAccounts.state,
                <SubAccountBadge key="state" state={merchant.subAccount.state} />,
              ],
            ]}
          />
          <OnlyCommand why="keys" commands={[`key list ${merchant.id}`, `key create ${merchant.id}`]} />
        </Card>
      </div>
    </>
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
              {freeze.decidedBy} · <Time at={freeze.at} />
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
  const entries = [
    ...(account !== undefined && account !== 'CLOSED' && may('approve')
      ? [{ label: words.close, icon: 'cross' as const, danger: true, onSelect: () => setAction('close') }]
      : []),
    ...(!isSuspended && may('write')
      ? [{ label: words.suspend, icon: 'cross' as const, danger: true, onSelect: () => setAction('suspend') }]
      : []),
    ...(!isFrozen && may('write')
      ? [{ label: words.freeze, icon: 'alert' as const, danger: true, onSelect: () => setAction('freeze') }]
      : []),
    ...(may('write')
      ? [{ label: words.rotate, icon: 'key' as const, onSelect: () => setAction('rotate') }]
      : []),
  ]
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
      {entries.length > 0 && (
        <Menu
          label={words.more}
          triggerClass={buttonClass('plain', 'px-2.5')}
          trigger={<Icon name="more" />}
          entries={entries}
        />
      )}
      {action === 'invite' && <InviteDialog merchant={merchant} onClose={close} />}
      {action === 'rotate' && <Rotate merchant={merchant} onClose={close} />}
      {action !== undefined && action !== 'invite' && action !== 'rotate' && (
        <ActionDialog
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
    <ActionDialog
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
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('OWNER')
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
    <ActionDialog
      title={words.invite}
      lead={words.inviteLead(merchant.name)}
      act={words.inviteMake}
      reason="none"
      call="inviteToMerchant"
      id={merchant.id}
      body={() => ({ email: email.trim(), role })}
      onAnswer={setLink}
      onClose={onClose}
    >
      {(error) => (
        <>
          <TextField
            label={words.email}
            type="email"
            value={email}
            autoFocus
            autoComplete="off"
            fault={faultOf(error, 'email')}
            onChange={(event) => setEmail(event.target.value)}
          />
          <SelectField
            label={words.role}
            value={role}
            onChange={(event) => setRole(event.target.value as Role)}
            options={roles.map((value) => ({ value, label: words.roles[value] }))}
          />
        </>
      )}
    </ActionDialog>
  )
}
