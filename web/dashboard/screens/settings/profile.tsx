// The user's name, language and time zone.
import type { FormEvent } from 'react'
import { locales } from '#/kernel/language.ts'
import { useAct } from '../../api/act.ts'
import { useSession } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Definitions, type Fact } from '../../kit/facts.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { Fields, named, useDraft } from '../../kit/form.tsx'
import { Card } from '../../kit/page.tsx'
import { toast } from '../../kit/toast.tsx'
import { useReader, useWords } from '../../words/reader.ts'
import { settingsWords } from '../../words/settings.ts'
import { stateWords } from '../../words/states.ts'
import { SettingsFrame } from './frame.tsx'

const languageNames = { 'pt-BR': 'Português (Brasil)', en: 'English', es: 'Español' } as const

export function ProfilePage() {
  const words = useWords(settingsWords)
  const states = useWords(stateWords)
  const { user, merchants } = useSession()
  const reader = useReader()
  const act = useAct(['session'])
  const draft = useDraft({
    name: user.name,
    email: user.email,
    language: user.language ?? reader.locale,
    timeZone: user.timeZone ?? reader.timeZone,
  })
  const { name, language, timeZone } = draft.values
  const zones = [...new Set([timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (await act.send('changeProfile', { body: { name: name.trim(), language, timeZone } }))
      toast(words.saved)
  }
  return (
    <SettingsFrame>
      <Card title={words.profile}>
        <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4 pt-2">
          <Fields
            draft={draft}
            error={act.error}
            items={[
              { name: 'name', label: words.name, required: true, maxLength: 120, autoComplete: 'name' },
              { name: 'email', label: words.email, disabled: true },
              { name: 'language', label: words.language, options: named(locales, languageNames) },
              {
                name: 'timeZone',
                label: words.timeZone,
                help: words.timeZoneHelp,
                options: named(zones, (zone) => zone.replaceAll('_', ' ')),
              },
            ]}
          />
          <FormFault error={act.error} />
          <Button type="submit" variant="primary" busy={act.isBusy} className="self-start">
            {words.save}
          </Button>
        </form>
      </Card>
      {merchants.length > 0 && (
        <Card title={words.roles}>
          <Definitions
            items={merchants.map(({ name: merchant, mode, role }): Fact => [
              merchant,
              <span className="flex items-center gap-2">
                {mode === 'SANDBOX' && <Badge tone="wait">{states.mode.SANDBOX}</Badge>}
                {states.role[role]}
              </span>,
            ])}
          />
        </Card>
      )}
    </SettingsFrame>
  )
}
