import { useQuery } from '@tanstack/react-query'
import { useAct } from '../../api/act.ts'
import { call } from '../../api/call.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { Icon } from '../../kit/icons.tsx'
import { RecordList, recordsOf } from '../../kit/record-list.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toast.tsx'
import { useWords } from '../../words/reader.ts'
import { settingsWords } from '../../words/settings.ts'

/** Where the user is signed in. */
export function Sessions() {
  const words = useWords(settingsWords)
  const act = useAct(['sessions'])
  const read = useQuery({ queryKey: ['sessions'], queryFn: () => call('listSessions', {}) })
  const end = async (id: string) => {
    if (await act.send('endSession', { id })) toast(words.sessionEnded)
  }
  return (
    <RecordList
      records={recordsOf(read, read.data?.data)}
      words={{ title: words.sessions, none: '' }}
      title={words.sessions}
      line={({ id, userAgent, address, seenAt, createdAt, isCurrent }) => (
        <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-4 py-2 text-13">
          <Icon name="device" className="text-ink-soft" />
          <div className="min-w-0 flex-1 basis-48">
            <p className="font-strong">{browserOf(userAgent) ?? words.sessionUnknown}</p>
            <p className="text-ink-soft">
              {address !== undefined && address !== null && <span className="figures">{address} · </span>}
              <Time at={seenAt} /> · {words.sessionSince} <Time at={createdAt} />
            </p>
          </div>
          {isCurrent ? (
            <Badge tone="good">{words.sessionHere}</Badge>
          ) : (
            <Button variant="danger" busy={act.isBusy} onClick={() => void end(id)}>
              {words.sessionEnd}
            </Button>
          )}
        </li>
      )}
    >
      <p className="px-4 py-3 text-13 text-ink-soft">{words.sessionsLead}</p>
      {act.error !== undefined && (
        <div className="px-4 pb-3">
          <FormFault error={act.error} />
        </div>
      )}
    </RecordList>
  )
}

/** Such as "Firefox, Linux": enough for users to recognise their device. */
function browserOf(userAgent: string | null | undefined): string | undefined {
  const text = userAgent ?? ''
  const browser = [
    ['Edge', /Edg\//],
    ['Firefox', /Firefox\//],
    ['Chrome', /Chrome\//],
    ['Safari', /Safari\//],
  ].find(([, pattern]) => (pattern as RegExp).test(text))?.[0] as string | undefined
  const system = /iPhone|iPad|Android|Windows|Mac OS X|Linux/.exec(text)?.[0]?.replace('Mac OS X', 'macOS')
  return [browser, system].filter((each) => each !== undefined).join(', ') || undefined
}
