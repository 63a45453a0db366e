// A user of the dashboard, as all files of this folder know it.
import type { Sql, Tx } from '#/db/client.ts'
import type { Id } from '#/kernel/id.ts'
import type { KeyRing } from '#/kernel/secret.ts'
import type { PasswordCost } from './password.ts'

export type UserId = Id<'user'>
export type SessionId = Id<'session'>
export type PasskeyId = Id<'passkey'>
export type LinkId = Id<'one-time-link'>

export type User = {
  readonly id: UserId
  /** In small letters. */
  readonly email: string
  readonly name: string
  readonly language: string
  readonly timeZone: string
  readonly isOperator: boolean
  readonly createdAt: Date
}

/** A change of how a user signs in. The user is notified of it, so that they learn what somebody else did in their name. */
export type UserNews = {
  readonly userId: UserId
  readonly what: 'NEW_ADDRESS' | 'FACTOR_ADDED' | 'FACTOR_REMOVED'
  /** From where, of NEW_ADDRESS. */
  readonly address?: string
}

/** Notifies a user of such a change, in the transaction of the change. */
export type TellUser = (tx: Tx, news: UserNews) => Promise<void>

/** What the functions of this folder are given. */
export type PeopleDeps = {
  readonly sql: Sql
  /** 32 bytes: seals secrets of authenticator apps, and signs what is stored as a digest. */
  readonly key: KeyRing
  /** The dashboard, as passkeys know it. */
  readonly site: {
    /** Shown by authenticators. */
    readonly name: string
    /** A domain without scheme and port, such as `localhost`. */
    readonly rpId: string
    /** With scheme and port, such as `http://localhost:8084`. */
    readonly origin: string
  }
  /** Default: what OWASP advises. Tests that hash many passwords pass a lower one. */
  readonly passwordCost?: PasswordCost
  /** Absent: no mail server is set. */
  readonly tell?: TellUser
}

/** From where a sign-in comes. */
export type Origin = BrowserReader & {
  readonly address: string
  readonly userAgent: string
  readonly requestId?: string
}

/** What a browser says of who reads there, in its own names. Absent: it says nothing. */
export type BrowserReader = {
  readonly language?: string
  readonly timeZone?: string
}

/**
 * Whether somebody chose the user's language and time zone: the person, who made the user, or the browser of a sign-in. What nobody chose is a
 * default, until the first sign-in from a browser that says it.
 */
export type Chosen = { readonly languageChosen: boolean; readonly timeZoneChosen: boolean }
