// The people of the merchant: their roles, and the invitations that are open.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { given } from '#/kernel/given.ts'
import type { Answer } from '../../api/call.ts'
import type { Member, Role } from '../../api/generated.ts'
import { useMerchant, useSession, useRefreshSession } from '../../api/session.ts'
import { ActionButton, ActionDialog } from '../../kit/action-dialog.tsx'
import { Badge } from '../../kit/badge.tsx'
import { buttonClass } from '../../kit/button.tsx'
import { DialogButton } from '../../kit/dialog.tsx'
import { useDraft, type Item } from '../../kit/form.tsx'
import { Icon } from '../../kit/icons.tsx'
import { Menu } from '../../kit/menu.tsx'
import { isNothing, RecordList, useAllRecords, useRecords } from '../../kit/record-list.tsx'
import { SecretDialog } from '../../kit/secret.tsx'
import { Time } from '../../kit/time.tsx'
import { memberWords } from '../../words/members.ts'
import { useWords, useFormat } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import { SettingsFrame } from './frame.tsx'
import { MemberKeys } from './member-keys.tsx'

export function MembersPage() {
  const words = useWords(memberWords)
  const { may } = useMerchant()
  const records = useRecords('listMembers')
  const owners = records.rows?.filter(({ role }) => role === 'OWNER') ?? []
  return (
    <SettingsFrame>
      <RecordList
        records={records}
        words={{ title: words.title, none: '' }}
        title={words.title}
        action={
          may('members:write') && (
            <DialogButton
              variant="primary"
              icon="plus"
              dialog={(onClose) => <InviteDialog onClose={onClose} />}
            >
              {words.invite}
            </DialogButton>
          )
        }
        rowId={({ userId }) => userId}
        line={(member) => (
          <li className="border-t border-line px-4">
            <MemberRow
              member={member}
              isLastOwner={!records.hasMore && owners.length === 1 && owners[0] === member}
            />
          </li>
        )}
      >
        <p className="px-4 py-3 text-13 text-ink-soft">{words.lead}</p>
      </RecordList>
      <Invitations />
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
  const canEnd = canChange || (isOwn && !isLastOwner)
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
      <span className={`w-11 shrink-0 ${canEnd ? '' : 'phone:hidden'}`}>
        {canEnd && (
          <Menu
            label={words.actions(called)}
            triggerClass={buttonClass('quiet', 'w-11 px-0')}
            trigger={<Icon name="more" />}
            entries={[
              ...(canChange
                ? [{ label: words.change, icon: 'user' as const, onSelect: () => setAction('role') }]
                : []),
              {
                label: isOwn ? words.leave : words.remove,
                icon: 'signOut',
                danger: true,
                onSelect: () => setAction('remove'),
              },
            ]}
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
  const records = useAllRecords('listInvitations')
  if (isNothing(records)) return null
  return (
    <RecordList
      records={records}
      words={{ title: words.invitations, none: '' }}
      title={words.invitations}
      line={({ id, email, role, endsAt }) => (
        <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-4 py-2 text-13 first:border-0">
          <div className="min-w-0 flex-1 basis-48">
            <p className="truncate font-strong">{email}</p>
            <p className="text-ink-soft">
              {states.role[role]} · {words.ends} <Time at={endsAt} />
            </p>
          </div>
          {may('members:write') && (
            <ActionButton
              variant="danger"
              call="revokeInvitation"
              id={id}
              title={words.withdrawTitle(email)}
              lead={words.withdrawLead}
              act={words.withdraw}
              done={words.withdrawn}
            />
          )}
        </li>
      )}
    />
  )
}

// Invites a person, gives one another role, removes one.

const roles: readonly Role[] = ['OWNER', 'ADMIN', 'DEVELOPER', 'FINANCE', 'SUPPORT', 'VIEWER']

/** The choice of a role, of those that the user may give. */
function useRoleField(): Item<{ readonly role: Role }> {
  const words = useWords(memberWords)
  const states = useWords(stateWords)
  const cards = useGrantable().map((role) => ({
    value: role,
    label: states.role[role],
    help: words.roleHelp[role],
  }))
  return { name: 'role', label: words.role, cards }
}

function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(memberWords)
  const format = useFormat()
  const draft = useDraft({ email: '', role: 'VIEWER' as Role })
  const roleField = useRoleField()
  const [made, setMade] = useState<Answer<'createInvitation'>>()
  if (made !== undefined)
    return (
      <SecretDialog
        title={words.linkTitle}
        lead={words.linkLead(made.email, format.short(made.endsAt))}
        label={words.link}
        value={made.url}
        onClose={onClose}
      />
    )
  return (
    <ActionDialog
      call="createInvitation"
      title={words.inviteTitle}
      lead={words.inviteLead}
      act={words.inviteDo}
      isChecked
      draft={draft}
      fields={[
        {
          name: 'email',
          label: words.email,
          type: 'email',
          required: true,
          autoFocus: true,
          autoComplete: 'off',
          maxLength: 320,
        },
        roleField as Item<typeof draft.values>,
      ]}
      body={() => ({ email: draft.values.email.trim(), role: draft.values.role })}
      onAnswer={setMade}
      onClose={onClose}
    />
  )
}

const nameOf = ({ name, email }: Member) => (name === '' ? email : name)

function RoleDialog({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) {
  const words = useWords(memberWords)
  const draft = useDraft({ role: member.role, heir: '' })
  const roleField = useRoleField()
  const { role, heir } = draft.values
  return (
    <ActionDialog
      call="changeMember"
      id={member.userId}
      title={words.changeTitle(nameOf(member))}
      lead={words.changeLead}
      act={words.save}
      isIdle={role === member.role}
      draft={draft}
      fields={[
        roleField as Item<typeof draft.values>,
        role !== member.role && (
          <MemberKeys
            key="keys"
            member={member}
            role={role}
            value={heir}
            onChange={(chosen) => draft.put({ heir: chosen })}
          />
        ),
      ]}
      body={() => ({ role, ...given({ keysTo: heir || undefined }) })}
      done={words.changed}
      onClose={onClose}
    />
  )
}

/** Removes a member; with `isOwn` the user leaves. */
function RemoveDialog({
  member,
  isOwn,
  onClose,
}: {
  readonly member: Member
  readonly isOwn: boolean
  readonly onClose: () => void
}) {
  const words = useWords(memberWords)
  const refresh = useRefreshSession()
  const navigate = useNavigate()
  const [heir, setHeir] = useState('')
  const leave = async () => {
    onClose()
    if (!isOwn) return
    await refresh()
    await navigate({ to: '/' })
  }
  return (
    <ActionDialog
      call="removeMember"
      id={member.userId}
      query={given({ keysTo: heir || undefined })}
      title={isOwn ? words.leaveTitle : words.removeTitle(nameOf(member))}
      lead={isOwn ? words.leaveLead : words.removeLead}
      act={isOwn ? words.leave : words.remove}
      isDanger
      done={words.removed}
      onAnswer={() => void leave()}
      onClose={onClose}
    >
      <MemberKeys member={member} value={heir} onChange={setHeir} />
    </ActionDialog>
  )
}

/** The roles that the user may give and take. Whoever may change members has all permissions; only an owner makes an owner. */
function useGrantable(): readonly Role[] {
  const { role, may } = useMerchant()
  if (!may('members:write')) return []
  return role === 'OWNER' ? roles : roles.filter((each) => each !== 'OWNER')
}
