// The user's own ways to sign in, and where the user is signed in.
import { useSession } from '../../api/session.ts'
import { Notice } from '../../kit/page.tsx'
import { useWords } from '../../words/reader.ts'
import { settingsWords } from '../../words/settings.ts'
import { SettingsFrame } from './frame.tsx'
import { Passkeys } from './passkeys.tsx'
import { PasswordCard } from './password.tsx'
import { Sessions } from './sessions.tsx'
import { TotpCard } from './totp.tsx'

export function SecurityPage() {
  const words = useWords(settingsWords)
  const { factors } = useSession()
  return (
    <SettingsFrame>
      {factors.passkeys === 0 && !factors.hasTotp && <Notice>{words.noSecond}</Notice>}
      <Passkeys />
      <TotpCard />
      <PasswordCard />
      <Sessions />
    </SettingsFrame>
  )
}
