// What the columns of the tables of people, and of letters to them, hold, where it does not follow from their type.

export const peopleColumns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  app_user: { email: `'u' || i || '@x'`, is_operator: 'rare', language: `'en'`, time_zone: `'UTC'` },
  command_account: { account: `'u' || i || '@x'`, user_id: `size_id('app_user', i)` },
  membership: {
    merchant_id: `size_id('merchant', 1 + i / 4)`,
    user_id: `size_id('app_user', i)`,
    role: `case when i % 4 = 0 then 'OWNER' else 'VIEWER' end`,
  },
  user_password: { user_id: `size_id('app_user', i)` },
  passkey: { user_id: `size_id('app_user', 1 + i / 10)`, credential_id: 'size_bytes(i, 20)' },
  user_totp: { user_id: `size_id('app_user', i)`, confirmed_at: 'size_at(i, n)' },
  recovery_code: { user_id: `size_id('app_user', 1 + i / 10)`, digest: 'size_bytes(i, 32)' },
  user_session: {
    user_id: `size_id('app_user', 1 + i / 10)`,
    digest: 'size_bytes(i, 32)',
    address: `'x'`,
    is_complete: 'i % 3 > 0',
    ends_at: `now() + (i - 100) * interval '1 second'`,
    seen_at: 'now()',
  },
  // The large merchant has a hundred open invitations, and very many that were used.
  one_time_link: {
    digest: 'size_bytes(i, 32)',
    kind: `case when i % 2 = 0 then 'INVITATION' else 'RESET' end`,
    email: `'u' || i || '@x'`,
    user_id: `case when i % 2 = 1 then size_id('app_user', i) end`,
    merchant_id: `case when i % 2 = 0 then size_id('merchant', 1) end`,
    role: `case when i % 2 = 0 then 'VIEWER' end`,
    used_at: 'case when i > 200 then size_at(i, n) end',
    ends_at: `now() + interval '1 day' - case when rare then interval '1 year' else interval '0' end`,
  },
  used_challenge: { digest: 'size_bytes(i, 32)', ends_at: `now() + (i - 100) * interval '1 second'` },
  sign_in_failure: { key: 'size_bytes(i, 32)', ends_at: `now() + (i - 100) * interval '1 second'` },
  known_address: {
    user_id: `size_id('app_user', 1 + i / 10)`,
    address_key: 'size_bytes(i, 32)',
    ends_at: `now() + (i - 100) * interval '1 second'`,
  },
  mail_notice: { user_id: `size_id('app_user', i)`, kind: `'x'` },
  mail_receipts: { merchant_id: `size_id('merchant', i)` },
  mail_reader: { merchant_id: `size_id('merchant', i)`, stream: `'NOTICE'`, written: '0' },
  mail_told: { kind: `'KEY_EXPIRING'`, subject_id: `size_id('api_key', i)`, step: `''` },
}
