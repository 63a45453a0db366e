// The people of the merchant: their roles, and the invitations that are open.
import { useState } from 'react'
import { useAct } from '../../api/act.ts'
import type { Invitation, Member } from '../../api/generated.ts'
import { useList, useRead } from '../../api/queries.ts'
import { useMerchant, useSession } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button, buttonClass } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { Fault, FormFault } from '../../kit/fault.tsx'
import { Icon } from '../../kit/icons.tsx'
import { LoadingLine } from '../../kit/loading.tsx'
import type { MenuEntry } from '../../kit/menu-parts.tsx'
import { Menu } from '../../kit/menu.tsx'
import { Card } from '../../kit/page.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toast.tsx'
import { kitWords } from '../../words/kit.ts'
import { memberWords } from '../../words/members.ts'
import { useWords } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import { SettingsFrame } from './frame.tsx'
import { InviteDialog, RemoveDialog, RoleDialog } from './member-dialogs.tsx'
import { useGrantable } from './roles.ts'

export function MembersPage() {
  const words = useWords(memberWords)
  const kit = useWords(kitWords)
  const { may } = useMerchant()
  const list = useList('listMembers')
  const [isInviting, setInviting] = useState(false)
  const owners = list.rows?.filter(({ role }) => role === 'OWNER') ?? []
  return (
    <SettingsFrame>
      <Card
        title={words.title}
        action={
          may('members:write') && (
            <Button variant="primary" icon="plus" onClick={() => setInviting(true)}>
              {words.invite}
            </Button>
          )
        }
      >
        <p className="mb-2 text-13 text-ink-soft">{words.lead}</p>
        <LoadingLine isOn={list.rows === undefined && list.error === null} />
        {list.error !== null && list.rows === undefined && <Fault error={list.error} onRetry={list.retry} />}
        <ul aria-label={words.title}>
          {list.rows?.map((member) => (
            <li key={member.userId} className="border-t border-line">
              <MemberRow
                member={member}
                isLastOwner={!list.hasMore && owners.length === 1 && owners[0] === member}
              />
            </li>
          ))}
        </ul>
        {list.hasMore && (
          <Button onClick={list.more} busy={list.isFetching} className="mt-3">
            {kit.more}
          </Button>
        )}
      </Card>
      <Invitations />
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </SettingsFrame>
  )
}

/** `isLastOwner`: a merchant must keep an owner. */
function MemberRow({ member, isLastOwner }: { readonly member: Member; readonly isLastOwner: boolean }) {
  const words = useWords(memberWords)
  const states = useWords(stateWords)
  const { user } = useSession()
  const { may } = useMerchant()
  const grantable = useGrantable()
  const [action, setAction] = useState<'role' | 'remove'>()
  const { userId, name, email, role, hasSecondFactor, isDisabled, createdAt } = member
  const isOwn = userId === user.id
  const called = name === '' ? email : name
  const canChange = may('members:write') && grantable.includes(role) && !isOwn
  const entries: MenuEntry[] = [
    ...(canChange ? [{ label: words.change, icon: 'user' as const, onSelect: () => setAction('role') }] : []),
    ...(canChange || (isOwn && !isLastOwner)
      ? [
          {
            label: isOwn ? words.leave : words.remove,
            icon: 'signOut' as const,
            danger: true,
            onSelect: () => setAction('remove'),
          },
        ]
      : []),
  ]
  const close = () => setAction(undefined)
  return (
    <div className="flex min-h-16 items-center gap-3 py-2 text-13">
      <span
        aria-hidden="true"
        className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-tint font-strong text-accent-text phone:hidden"
      >
        {Array.from(called)[0]?.toUpperCase()}
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="min-w-0 truncate font-strong">{called}</span>
          {isOwn && <span className="text-ink-soft">({words.you})</span>}
        </p>
        <p className="truncate text-ink-soft">{email}</p>
        <p className="flex flex-wrap items-center gap-x-3 text-ink-soft">
          <span className="inline-flex items-center gap-1">
            <Icon name={hasSecondFactor ? 'shield' : 'dash'} size={14} />
            {hasSecondFactor ? words.factorOn : words.factorOff}
          </span>
          <span>
            {words.since} <Time at={createdAt} />
          </span>
        </p>
      </div>
      <div className="flex flex-col items-end gap-1">
        <span className="font-strong">{states.role[role]}</span>
        {isDisabled && <Badge tone="bad">{words.disabled}</Badge>}
      </div>
      {/* On a phone no column is kept free, so that the role stands at the edge. */}
      <span className={`w-11 shrink-0 ${entries.length === 0 ? 'phone:hidden' : ''}`}>
        {entries.length > 0 && (
          <Menu
            label={words.actions(called)}
            triggerClass={buttonClass('quiet', 'w-11 px-0')}
            trigger={<Icon name="more" />}
            entries={entries}
          />
        )}
      </span>
      {action === 'role' && <RoleDialog member={member} onClose={close} />}
      {action === 'remove' && <RemoveDialog member={member} isOwn={isOwn} onClose={close} />}
    </div>
  )
}

function Invitations() {
  const words = useWords(memberWords)
  const states = useWords(stateWords)
  const { may } = useMerchant()
  const { data, error, refetch } = useRead('listInvitations')
  const [withdrawn, setWithdrawn] = useState<Invitation>()
  if (error !== null && data === undefined)
    return (
      <Card title={words.invitations}>
        <Fault error={error} onRetry={() => void refetch()} />
      </Card>
    )
  if (data === undefined || data.data.length === 0) return null
  return (
    <Card title={words.invitations}>
      <ul aria-label={words.invitations}>
        {data.data.map((invitation) => (
          <li
            key={invitation.id}
            className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-t border-line py-2 text-13 first:border-0"
          >
            <div className="min-w-0 flex-1 basis-48">
              <p className="truncate font-strong">{invitation.email}</p>
              <p className="text-ink-soft">
                {states.role[invitation.role]} · {words.ends} <Time at={invitation.endsAt} />
              </p>
            </div>
            {may('members:write') && (
              <Button variant="danger" onClick={() => setWithdrawn(invitation)}>
                {words.withdraw}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {withdrawn !== undefined && <Withdraw invitation={withdrawn} onClose={() => setWithdrawn(undefined)} />}
    </Card>
  )
}

function Withdraw({
  invitation,
  onClose,
}: {
  readonly invitation: Invitation
  readonly onClose: () => void
}) {
  const words = useWords(memberWords)
  const act = useAct()
  const withdraw = async () => {
    if (!(await act.send('revokeInvitation', { id: invitation.id }))) return
    toast(words.withdrawn)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={words.withdrawTitle(invitation.email)} lead={words.withdrawLead}>
      <FormFault error={act.error} />
      <DialogActions onCancel={onClose}>
        <Button variant="danger" busy={act.isBusy} onClick={() => void withdraw()}>
          {words.withdraw}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
