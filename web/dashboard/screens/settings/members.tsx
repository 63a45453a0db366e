// The people of the merchant: their roles, and the invitations that are open.
import { useState } from 'react'
import type { Member } from '../../api/generated.ts'
import { useMerchant, useSession } from '../../api/session.ts'
import { ActionButton } from '../../kit/action-dialog.tsx'
import { Badge } from '../../kit/badge.tsx'
import { buttonClass } from '../../kit/button.tsx'
import { DialogButton } from '../../kit/dialog.tsx'
import { Icon } from '../../kit/icons.tsx'
import { Menu } from '../../kit/menu.tsx'
import { isNothing, RecordList, useAllRecords, useRecords } from '../../kit/record-list.tsx'
import { Time } from '../../kit/time.tsx'
import { memberWords } from '../../words/members.ts'
import { useWords } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import { SettingsFrame } from './frame.tsx'
import { InviteDialog, RemoveDialog, RoleDialog, useGrantable } from './member-dialogs.tsx'

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
              isDanger
              done={words.withdrawn}
            />
          )}
        </li>
      )}
    />
  )
}
