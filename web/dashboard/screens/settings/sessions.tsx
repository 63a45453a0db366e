import { useQuery } from '@tanstack/react-query'
import { useAct } from '../../api/act.ts'
import { call, type Row } from '../../api/call.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Fault, FormFault } from '../../kit/fault.tsx'
import { Icon } from '../../kit/icons.tsx'
import { LoadingLine } from '../../kit/loading.tsx'
import { Card } from '../../kit/page.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toast.tsx'
import { useWords } from '../../words/reader.ts'
import { settingsWords } from '../../words/settings.ts'

/** Where the user is signed in. */
export function Sessions() {
  const words = useWords(settingsWords)
  const act = useAct(['sessions'])
  const { data, error, refetch } = useQuery({
    queryKey: ['sessions'],
    queryFn: () => call('listSessions', {}),
  })
  const end = async ({ id }: Row<'listSessions'>) => {
    if (await act.send('endSession', { id })) toast(words.sessionEnded)
  }
  return (
    <Card title={words.sessions}>
      <p className="mb-2 text-13 text-ink-soft">{words.sessionsLead}</p>
      <LoadingLine isOn={data === undefined && error === null} />
      {error !== null && <Fault error={error} onRetry={() => void refetch()} />}
      <FormFault error={act.error} />
      <ul>
        {data?.data.map((session) => (
          <li
            key={session.id}
            className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-t border-line py-2 text-13"
          >
            <Icon name="device" className="text-ink-soft" />
            <div className="min-w-0 flex-1 basis-48">
              <p className="font-strong">{browserOf(session.userAgent) ?? words.sessionUnknown}</p>
              <p className="text-ink-soft">
                {session.address !== undefined && session.address !== null && (
                  <span className="figures">{session.address} · </span>
                )}
                <Time at={session.seenAt} /> · {words.sessionSince} <Time at={session.createdAt} />
              </p>
            </div>
            {session.isCurrent ? (
              <Badge tone="good">{words.sessionHere}</Badge>
            ) : (
              <Button variant="danger" busy={act.isBusy} onClick={() => void end(session)}>
                {words.sessionEnd}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
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
