// The table of screens. To add one: write it in screens/<area>/, and give it a line here. Each line becomes a route, and each screen a chunk.
import type { ComponentType } from 'react'
import type { Area, UserRow, ScreenRow } from './shell/screen-tables.ts'

/** The first row of an area that the role may see is where the navigation leads. */
export const screens: readonly ScreenRow[] = [
  row('overview', '', 'Overview', () => import('./screens/overview/overview.tsx')),
  row('payments', 'payments', 'PaymentList', () => import('./screens/payments/list.tsx'), 'payments:read'),
  row(
    'payments',
    'payments/$paymentId',
    'PaymentPage',
    () => import('./screens/payments/payment.tsx'),
    'payments:read',
  ),
  row('link', 'payment-links', 'LinkList', () => import('./screens/links/list.tsx'), 'payments:read'),
  row('link', 'payment-links/$linkId', 'LinkPage', () => import('./screens/links/link.tsx'), 'payments:read'),
  row(
    'templates',
    'templates',
    'TemplateList',
    () => import('./screens/templates/list.tsx'),
    'templates:read',
  ),
  row(
    'templates',
    'templates/$slug',
    'TemplateEditor',
    () => import('./screens/templates/editor.tsx'),
    'templates:read',
  ),
  row('wallets', 'wallets', 'WalletList', () => import('./screens/wallets/list.tsx'), 'wallets:read'),
  row(
    'wallets',
    'wallets/$walletId',
    'WalletPage',
    () => import('./screens/wallets/wallet.tsx'),
    'wallets:read',
  ),
  row(
    'subaccounts',
    'sub-accounts',
    'SubAccountList',
    () => import('./screens/sub-accounts/list.tsx'),
    'subaccounts:read',
  ),
  row(
    'subaccounts',
    'sub-accounts/$subAccountId',
    'SubAccountPage',
    () => import('./screens/sub-accounts/sub-account.tsx'),
    'subaccounts:read',
  ),
  row(
    'withdrawals',
    'withdrawals',
    'WithdrawalList',
    () => import('./screens/withdrawals/list.tsx'),
    'withdrawals:read',
  ),
  row(
    'withdrawals',
    'withdrawals/new',
    'NewWithdrawal',
    () => import('./screens/withdrawals/create.tsx'),
    'withdrawals:write',
  ),
  row(
    'withdrawals',
    'withdrawals/$withdrawalId',
    'WithdrawalPage',
    () => import('./screens/withdrawals/withdrawal.tsx'),
    'withdrawals:read',
  ),
  row(
    'withdrawals',
    'withdrawals/batches',
    'BatchList',
    () => import('./screens/withdrawals/batches.tsx'),
    'withdrawals:read',
  ),
  row(
    'withdrawals',
    'withdrawals/batches/new',
    'NewBatch',
    () => import('./screens/withdrawals/new-batch.tsx'),
    'withdrawals:write',
  ),
  row(
    'withdrawals',
    'withdrawals/batches/$batchId',
    'BatchPage',
    () => import('./screens/withdrawals/batches.tsx'),
    'withdrawals:read',
  ),
  row(
    'withdrawals',
    'withdrawals/schedules',
    'ScheduleList',
    () => import('./screens/withdrawals/schedules.tsx'),
    'withdrawals:read',
  ),
  row(
    'withdrawals',
    'withdrawals/schedules/new',
    'NewSchedule',
    () => import('./screens/withdrawals/new-schedule.tsx'),
    'withdrawals:write',
  ),
  row(
    'withdrawals',
    'withdrawals/limits',
    'LimitsPage',
    () => import('./screens/withdrawals/limits-page.tsx'),
    'withdrawals:read',
  ),
  row('refunds', 'refunds', 'RefundList', () => import('./screens/refunds/list.tsx'), 'payments:read'),
  row(
    'refunds',
    'refunds/$refundId',
    'RefundPage',
    () => import('./screens/refunds/refund.tsx'),
    'payments:read',
  ),
  row('disputes', 'disputes', 'DisputeList', () => import('./screens/disputes/list.tsx'), 'payments:read'),
  row(
    'disputes',
    'disputes/$disputeId',
    'DisputePage',
    () => import('./screens/disputes/dispute.tsx'),
    'payments:read',
  ),
  row('reports', 'reports', 'ReportPage', () => import('./screens/reports/report.tsx'), 'wallets:read'),
  row('developers', 'developers/keys', 'KeyList', () => import('./screens/developers/keys.tsx'), 'keys:read'),
  row(
    'developers',
    'developers/keys/$keyId',
    'KeyPage',
    () => import('./screens/developers/key.tsx'),
    'keys:read',
  ),
  row(
    'developers',
    'developers/webhooks',
    'EndpointList',
    () => import('./screens/developers/endpoints.tsx'),
    'webhooks:read',
  ),
  row(
    'developers',
    'developers/webhooks/$endpointId',
    'EndpointPage',
    () => import('./screens/developers/endpoint.tsx'),
    'webhooks:read',
  ),
  row(
    'developers',
    'developers/deliveries',
    'DeliveryList',
    () => import('./screens/developers/deliveries.tsx'),
    'webhooks:read',
  ),
  row(
    'developers',
    'developers/deliveries/$deliveryId',
    'DeliveryPage',
    () => import('./screens/developers/delivery.tsx'),
    'webhooks:read',
  ),
  row(
    'developers',
    'developers/recoveries',
    'RecoveryList',
    () => import('./screens/developers/recoveries.tsx'),
    'webhooks:read',
  ),
  row(
    'developers',
    'developers/events',
    'EventList',
    () => import('./screens/developers/events.tsx'),
    'webhooks:read',
  ),
  row(
    'developers',
    'developers/events/$eventId',
    'EventPage',
    () => import('./screens/developers/event.tsx'),
    'webhooks:read',
  ),
  row(
    'developers',
    'developers/requests',
    'RequestLog',
    () => import('./screens/developers/requests.tsx'),
    'requests:read',
  ),
  row(
    'developers',
    'developers/problems',
    'ProblemList',
    () => import('./screens/developers/problems.tsx'),
    'requests:read',
  ),
  row(
    'developers',
    'developers/rehearsals',
    'RehearsalList',
    () => import('./screens/developers/rehearsals.tsx'),
    'sandbox',
  ),
  row(
    'developers',
    'developers/rehearsals/$rehearsalId',
    'RehearsalPage',
    () => import('./screens/developers/rehearsal.tsx'),
    'sandbox',
  ),
  row(
    'developers',
    'developers/clock',
    'ClockPage',
    () => import('./screens/developers/clock.tsx'),
    'sandbox',
  ),
  row('settings', 'settings', 'ProfilePage', () => import('./screens/settings/profile.tsx')),
  row(
    'settings',
    'settings/members',
    'MembersPage',
    () => import('./screens/settings/members.tsx'),
    'members:read',
  ),
  row(
    'settings',
    'settings/notices',
    'NoticesPage',
    () => import('./screens/settings/notices.tsx'),
    'payments:read',
  ),
  row('settings', 'settings/grants', 'Grants', () => import('./screens/settings/grants.tsx'), 'wallets:read'),
  row('settings', 'settings/audit', 'AuditPage', () => import('./screens/settings/audit.tsx'), 'audit:read'),
  row('settings', 'settings/security', 'SecurityPage', () => import('./screens/settings/security.tsx')),
]

/** What belongs to the user and to no merchant: paths behind `/account/`. Members have the same pages among the settings of their merchant. */
export const userScreens: readonly UserRow[] = [
  userRow('', 'ProfilePage', () => import('./screens/settings/profile.tsx')),
  userRow('security', 'SecurityPage', () => import('./screens/settings/security.tsx')),
]

function row<Name extends string>(
  area: Area,
  path: string,
  name: Name,
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  needs?: string,
): ScreenRow {
  return { area, path, name, load: load as ScreenRow['load'], ...(needs === undefined ? {} : { needs }) }
}

function userRow<Name extends string>(
  path: string,
  name: Name,
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
): UserRow {
  return { path, name, load: load as UserRow['load'] }
}
