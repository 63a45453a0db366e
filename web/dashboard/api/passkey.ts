// Passkeys of the browser. The package is loaded when one is first used.
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'

/** What the server's and the browser's packages for passkeys say to each other: nobody else reads it. */
export type BrowserObject = Readonly<Record<string, unknown>>

/** Asks the browser for a passkey. Rejects when the user or the device refuses. */
export async function askPasskey(options: BrowserObject): Promise<BrowserObject> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  return { ...(await startAuthentication({ optionsJSON })) }
}

/** Makes a new passkey on this device or on one at hand. */
export async function makePasskey(options: BrowserObject): Promise<BrowserObject> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  return { ...(await startRegistration({ optionsJSON })) }
}
