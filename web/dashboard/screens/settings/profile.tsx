// The user's name, language and time zone.
import { useState, type FormEvent } from 'react'
import { locales } from '#/kernel/language.ts'
import { useAct } from '../../api/act.ts'
import { faultOf } from '../../api/problem.ts'
import { useSession } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { TextField } from '../../kit/field.tsx'
import { Card, Definitions } from '../../kit/page.tsx'
import { SelectField } from '../../kit/select.tsx'
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
  const [name, setName] = useState(user.name)
  const [language, setLanguage] = useState(user.language ?? reader.locale)
  const [timeZone, setTimeZone] = useState(user.timeZone ?? reader.timeZone)
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
          <TextField
            label={words.name}
            value={name}
            required
            maxLength={120}
            autoComplete="name"
            onChange={(event) => setName(event.target.value)}
            fault={faultOf(act.error, 'name')}
          />
          <TextField label={words.email} value={user.email} disabled />
          <SelectField
            label={words.language}
            value={language}
            onChange={(event) => setLanguage(event.target.value)}
            options={locales.map((value) => ({ value, label: languageNames[value] }))}
          />
          <SelectField
            label={words.timeZone}
            help={words.timeZoneHelp}
            value={timeZone}
            onChange={(event) => setTimeZone(event.target.value)}
            options={zones.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
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
            items={merchants.map(
              ({ id, name: merchant, mode, role }) =>
                [
                  merchant,
                  <span key={id} className="flex items-center gap-2">
                    {mode === 'SANDBOX' && <Badge tone="wait">{states.mode.SANDBOX}</Badge>}
                    {states.role[role]}
                  </span>,
                ] as const,
            )}
          />
        </Card>
      )}
    </SettingsFrame>
  )
}
