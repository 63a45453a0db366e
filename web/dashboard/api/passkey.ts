// Passkeys of the browser. The package is loaded when one is first used.
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'

/** Asks the browser for a passkey. Rejects when the user or the device refuses. */
export async function askPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<unknown> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  return startAuthentication({ optionsJSON: options })
}

/** Makes a new passkey on this device or on one at hand. */
export async function makePasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  return startRegistration({ optionsJSON: options })
}

export type RequestOptions = PublicKeyCredentialRequestOptionsJSON
export type CreationOptions = PublicKeyCredentialCreationOptionsJSON
