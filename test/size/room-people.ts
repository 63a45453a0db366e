// Users, memberships, sessions, factors, links, letters, and the audit log with its seals.
import { leastId } from '#/db/lists.ts'
import * as due from '#/mail/notice-queries.ts'
import * as mail from '#/mail/queries.ts'
import type { DueLetter, LetterId } from '#/mail/queries.ts'
import * as setup from '#/merchants/setup-queries.ts'
import * as factors from '#/people/factor-queries.ts'
import * as links from '#/people/link-queries.ts'
import * as members from '#/people/member-queries.ts'
import * as audit from '#/people/queries.ts'
import * as sessions from '#/people/session-queries.ts'
import * as throttle from '#/people/throttle-queries.ts'
import * as users from '#/people/user-queries.ts'
import type { SessionId, UserId } from '#/people/user.ts'
import * as sealing from '#/sealing/queries.ts'
import { bounded, type Registry, type World } from './registry.ts'

const row = (w: World): number => w.some[0] ?? 1
const user = (w: World): UserId => w.id('app_user', row(w))
const session = (w: World): SessionId => w.id('user_session', row(w))
const digest = (nth: number): Buffer => {
  const bytes = Buffer.alloc(32)
  bytes.writeUInt32BE(nth, 28)
  return bytes
}
const page = { before: undefined, window: 1_000 }
const looked = 'looks at no more than a thousand entries for a page'

const letter = (w: World): DueLetter => {
  const id: LetterId = w.id('letter', row(w))
  return { id, sealed: Buffer.alloc(9), isOld: false, claim: { id, connection: 'smtp', number: 1 } }
}

export const peopleRoom: Registry = {
  'merchants/setup-queries.ts': {
    selectSetup: (w) => setup.selectSetup(w.sql, w.merchantId),
    writeSetupHidden: (w) => setup.writeSetupHidden(w.sql, w.merchantId, true),
  },
  'mail/queries.ts': {
    claimLetters: (w) =>
      mail.claimLetters(
        w.sql,
        'people',
        { total: 2, each: 2, byConnection: [] },
        { leaseMs: 1_000, lifeMs: 1_000 },
      ),
    postponeLetter: (w) => mail.postponeLetter(w.sql, letter(w), 1_000),
    deleteLetter: (w) => mail.deleteLetter(w.sql, letter(w).id),
  },
  'mail/notice-queries.ts': {
    selectBehind: bounded(3_300, 'a page looks at a thousand merchants', (w) =>
      due.selectBehind(w.sql, 'NOTICE', undefined, 1_000),
    ),
    lockReader: (w) => due.lockReader(w.sql, w.merchantId, 'NOTICE'),
    moveReader: (w) => due.moveReader(w.sql, w.merchantId, 'NOTICE', { sequence: 1n, written: 1 }),
    selectEvents: (w) =>
      due.selectEvents(w.sql, w.merchantId, {
        after: 1_000n,
        types: ['dispute.opened'],
        lifeMs: 86_400_000,
        limit: 500,
      }),
    selectRecipients: (w) =>
      due.selectRecipients(w.sql, w.merchantId, { kind: 'DISPUTE_OPENED', may: ['OWNER'], limit: 50 }),
    selectChosen: (w) => due.selectChosen(w.sql, w.merchantId, user(w)),
    putNotice: (w) => due.putNotice(w.sql, w.merchantId, user(w), { kind: 'DISPUTE_OPENED', isOn: false }),
    selectReceipts: (w) => due.selectReceipts(w.sql, w.merchantId),
    putReceipts: (w) => due.putReceipts(w.sql, w.merchantId, true),
    selectPayer: (w) => due.selectPayer(w.sql, w.merchantId, w.id('payment', row(w))),
    selectEvidenceDue: (w) => due.selectEvidenceDue(w.sql, { after: undefined, limit: 200 }),
    selectFailing: (w) => due.selectFailing(w.sql, { after: undefined, limit: 200 }),
    selectExpiring: (w) => due.selectExpiring(w.sql, { after: undefined, limit: 200 }),
    insertNotified: (w) =>
      w.sql.begin((tx) =>
        due.insertNotified(tx, 'KEY_EXPIRING', {
          merchantId: w.merchantId,
          id: user(w),
          step: '',
          dueAt: new Date(),
          name: null,
          amountMinor: null,
          currency: null,
        }),
      ),
    forgetNotified: (w) => due.forgetNotified(w.sql, 1_000),
  },
  'people/queries.ts': {
    selectAuditEntries: [
      (w) => audit.selectAuditEntries(w.sql, {}, { window: 100 }),
      (w) =>
        audit.selectAuditEntries(
          w.sql,
          { merchantId: w.merchantId },
          { window: 100, before: w.id('audit_log', row(w)) },
        ),
      (w) =>
        audit.selectAuditEntries(
          w.sql,
          { subject: `refund:${String(w.id('refund', row(w)))}` },
          { window: 100 },
        ),
      (w) => audit.selectAuditEntries(w.sql, { actorId: 'rare' }, { window: 100 }),
      (w) =>
        audit.selectAuditEntries(
          w.sql,
          { merchantId: w.merchantId, action: 'y', actorId: 'x', from: w.at(1), to: w.now },
          { window: 100 },
        ),
      bounded(5_000, looked, (w) =>
        audit.selectAuditEntries(
          w.sql,
          { merchantId: w.merchantId, actorId: 'rare' },
          { window: page.window },
        ),
      ),
    ],
  },
  'sealing/queries.ts': {
    selectUnsealed: (w) => sealing.selectUnsealed(w.sql, 100),
    selectSealed: (w) => sealing.selectSealed(w.sql, [w.id('audit_log', row(w))]),
    writeSeals: (w) =>
      sealing.writeSeals(
        w.sql,
        [{ id: w.id('audit_log', 7), position: 2, digest: digest(1) }],
        BigInt(w.size),
      ),
  },
  'people/user-queries.ts': {
    selectCommandUser: [
      (w) => users.selectCommandUser(w.sql, { account: 'ana@host' }),
      (w) => users.selectCommandUser(w.sql, { userId: w.id('app_user', 3) }),
    ],
    selectUser: (w) => users.selectUser(w.sql, user(w)),
    selectUserByEmail: (w) => users.selectUserByEmail(w.sql, `u${row(w)}@x`),
    lockUser: (w) => users.lockUser(w.sql, user(w)),
    lockUnchosen: (w) => users.lockUnchosen(w.sql, user(w)),
    selectUsers: [
      (w) => users.selectUsers(w.sql, { after: user(w), limit: 50 }),
      (w) => users.selectUsers(w.sql, { after: leastId, limit: 50, isOperator: true }),
    ],
    hasOperator: (w) => users.hasOperator(w.sql),
    writeUser: (w) =>
      users.writeUser(w.sql, { id: user(w), name: 'y', language: 'en', timeZone: 'UTC', isOperator: false }),
    writeChosen: (w) =>
      users.writeChosen(w.sql, {
        id: user(w),
        language: 'en',
        timeZone: 'UTC',
        languageChosen: true,
        timeZoneChosen: true,
      }),
    writeDisabled: (w) => users.writeDisabled(w.sql, user(w), true),
    selectForSignIn: (w) => users.selectForSignIn(w.sql, `u${row(w)}@x`, [digest(1)]),
    selectFactors: (w) => users.selectFactors(w.sql, user(w)),
    selectHash: (w) => users.selectHash(w.sql, user(w)),
    rewriteHash: (w) => users.rewriteHash(w.sql, user(w), 'x', 'y'),
  },
  'people/member-queries.ts': {
    selectMemberships: (w) => members.selectMemberships(w.sql, user(w), 100),
    selectMembers: (w) => members.selectMembers(w.sql, w.merchantId, { after: leastId, limit: 50 }),
    selectMembersOfAll: (w) => members.selectMembersOfAll(w.sql, [w.merchantId], 50),
    selectOtherMembers: (w) => members.selectOtherMembers(w.sql, w.merchantId, user(w), ['FINANCE'], 20),
    selectRole: (w) => members.selectRole(w.sql, w.merchantId, user(w)),
    lockRoles: (w) => members.lockRoles(w.sql, w.merchantId, [user(w)]),
    selectMerchantName: (w) => members.selectMerchantName(w.sql, w.merchantId),
    countMembers: (w) => members.countMembers(w.sql, w.merchantId, 500),
    writeRole: (w) => members.writeRole(w.sql, w.merchantId, w.id('app_user', 2), 'ADMIN'),
    deleteMembership: (w) => members.deleteMembership(w.sql, w.merchantId, w.id('app_user', 2)),
    selectGranter: (w) => members.selectGranter(w.sql, w.merchantId, user(w)),
  },
  'people/session-queries.ts': {
    selectSession: (w) => sessions.selectSession(w.sql, digest(row(w))),
    selectEnded: (w) => sessions.selectEnded(w.sql, [{ sessionId: session(w), merchantId: w.merchantId }]),
    isFactorFresh: (w) => sessions.isFactorFresh(w.sql, session(w)),
    touchSession: (w) => sessions.touchSession(w.sql, session(w)),
    deleteSurplus: (w) => sessions.deleteSurplus(w.sql, user(w)),
    lockSession: (w) => sessions.lockSession(w.sql, session(w)),
    completeSession: (w) => sessions.completeSession(w.sql, session(w), digest(0)),
    replaceToken: (w) => sessions.replaceToken(w.sql, session(w), digest(0)),
    renewFactor: (w) => sessions.renewFactor(w.sql, session(w)),
    selectSessions: (w) => sessions.selectSessions(w.sql, w.id('app_user', 3)),
    revokeSession: (w) => sessions.revokeSession(w.sql, user(w), session(w)),
    revokeSessions: (w) => sessions.revokeSessions(w.sql, w.id('app_user', 3)),
    deleteEnded: bounded(
      3_000,
      'deletes a hundred rows of each table: found by the end, and then by the key',
      (w) => sessions.deleteEnded(w.sql, 100),
    ),
  },
  'people/factor-queries.ts': {
    selectPasskeys: (w) => factors.selectPasskeys(w.sql, w.id('app_user', 3)),
    selectUserOfPasskey: (w) => factors.selectUserOfPasskey(w.sql, digest(row(w)).subarray(12)),
    selectPasskey: (w) => factors.selectPasskey(w.sql, digest(row(w)).subarray(12)),
    usePasskey: (w) => factors.usePasskey(w.sql, w.id('app_user', 3), w.id('passkey', 21), 9n),
    deletePasskey: (w) => factors.deletePasskey(w.sql, w.id('app_user', 3), w.id('passkey', 21)),
    deletePasskeys: (w) => factors.deletePasskeys(w.sql, w.id('app_user', 3)),
    selectTotp: (w) => factors.selectTotp(w.sql, user(w)),
    takeStep: (w) => factors.takeStep(w.sql, user(w), 9n),
    deleteTotp: (w) => factors.deleteTotp(w.sql, user(w)),
    replaceRecoveryCodes: (w) =>
      factors.replaceRecoveryCodes(w.sql, w.id('app_user', 3), [digest(0)], digest(1).subarray(24)),
    deleteRecoveryCodes: (w) => factors.deleteRecoveryCodes(w.sql, w.id('app_user', 3)),
    useRecoveryCode: (w) => factors.useRecoveryCode(w.sql, w.id('app_user', 3), [digest(21)]),
    hasRecoveryCodes: (w) => factors.hasRecoveryCodes(w.sql, w.id('app_user', 3)),
  },
  'people/link-queries.ts': {
    selectLink: (w) => links.selectLink(w.sql, digest(50)),
    takeLink: (w) => links.takeLink(w.sql, digest(50)),
    selectInvitations: (w) => links.selectInvitations(w.sql, w.merchantId, 100),
    lockInvitations: (w) => links.lockInvitations(w.sql, w.merchantId),
    deleteInvitationsTo: bounded(300, 'reads the open invitations of the merchant, at most a hundred', (w) =>
      links.deleteInvitationsTo(w.sql, w.merchantId, 'u50@x'),
    ),
    revokeInvitation: (w) => links.revokeInvitation(w.sql, w.merchantId, w.id('one_time_link', 50)),
    revokeLinksOf: (w) => links.revokeLinksOf(w.sql, w.id('app_user', 51)),
  },
  'people/throttle-queries.ts': {
    countFailure: (w) => throttle.countFailure(w.sql, { key: digest(row(w)), free: 10, waitMaxMs: 1_000 }),
    waitOf: (w) => throttle.waitOf(w.sql, digest(row(w))),
    forgetFailures: (w) => throttle.forgetFailures(w.sql, [digest(row(w))]),
    takeBackFailure: (w) => throttle.takeBackFailure(w.sql, [digest(row(w))]),
    rememberAddress: (w) => throttle.rememberAddress(w.sql, w.id('app_user', 3), digest(0)),
    isNewAddress: (w) => throttle.isNewAddress(w.sql, w.id('app_user', 3), [digest(21)]),
    isKnownAddress: (w) => throttle.isKnownAddress(w.sql, w.id('app_user', 3), [digest(21)]),
    forgetAddresses: (w) => throttle.forgetAddresses(w.sql, w.id('app_user', 3)),
  },
}
