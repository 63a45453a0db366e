// The table of screens. To add one: write it in screens/<area>/, and give it a line here. Each line becomes a route, and each screen a chunk.
import type { ComponentType } from 'react'
import { given } from '#/kernel/given.ts'
import type { Area, UserRow, ScreenRow } from './shell/screen-tables.ts'

/** The first row of an area that the role may see is where the navigation leads. */
export const screens: readonly ScreenRow[] = [
  ...area('overview', '', undefined, [page('', 'Overview', () => import('./screens/overview/overview.tsx'))]),
  ...area('payments', 'payments', 'payments:read', [
    page('', 'PaymentList', () => import('./screens/payments/list.tsx')),
    page('/new', 'NewPayment', () => import('./screens/payments/create.tsx'), 'payments:write'),
    page('/$paymentId', 'PaymentPage', () => import('./screens/payments/payment.tsx')),
  ]),
  ...area('link', 'payment-links', 'payments:read', [
    page('', 'LinkList', () => import('./screens/links/list.tsx')),
    page('/$linkId', 'LinkPage', () => import('./screens/links/list.tsx')),
  ]),
  ...area('templates', 'templates', 'templates:read', [
    page('', 'TemplateList', () => import('./screens/templates/list.tsx')),
    page('/$slug', 'TemplateEditor', () => import('./screens/templates/editor.tsx')),
  ]),
  ...area('wallets', 'wallets', 'wallets:read', [
    page('', 'WalletList', () => import('./screens/wallets/list.tsx')),
    page('/$walletId', 'WalletPage', () => import('./screens/wallets/wallet.tsx')),
  ]),
  ...area('subaccounts', 'sub-accounts', 'subaccounts:read', [
    page('', 'SubAccountList', () => import('./screens/sub-accounts/list.tsx')),
    page('/$subAccountId', 'SubAccountPage', () => import('./screens/sub-accounts/sub-account.tsx')),
  ]),
  ...area('withdrawals', 'withdrawals', 'withdrawals:read', [
    page('', 'WithdrawalList', () => import('./screens/withdrawals/list.tsx')),
    page('/new', 'NewWithdrawal', () => import('./screens/withdrawals/create.tsx'), 'withdrawals:write'),
    page('/$withdrawalId', 'WithdrawalPage', () => import('./screens/withdrawals/withdrawal.tsx')),
    page('/batches', 'BatchList', () => import('./screens/withdrawals/batches.tsx')),
    page(
      '/batches/new',
      'NewBatch',
      () => import('./screens/withdrawals/new-batch.tsx'),
      'withdrawals:write',
    ),
    page('/batches/$batchId', 'BatchPage', () => import('./screens/withdrawals/batches.tsx')),
    page('/schedules', 'ScheduleList', () => import('./screens/withdrawals/schedules.tsx')),
    page(
      '/schedules/new',
      'NewSchedule',
      () => import('./screens/withdrawals/schedules.tsx'),
      'withdrawals:write',
    ),
    page('/limits', 'LimitsPage', () => import('./screens/withdrawals/limits-page.tsx')),
  ]),
  ...area('refunds', 'refunds', 'payments:read', [
    page('', 'RefundList', () => import('./screens/refunds/list.tsx')),
    page('/$refundId', 'RefundPage', () => import('./screens/refunds/list.tsx')),
  ]),
  ...area('disputes', 'disputes', 'payments:read', [
    page('', 'DisputeList', () => import('./screens/disputes/list.tsx')),
    page('/$disputeId', 'DisputePage', () => import('./screens/disputes/list.tsx')),
  ]),
  ...area('reports', 'reports', 'wallets:read', [
    page('', 'ReportPage', () => import('./screens/reports/report.tsx')),
  ]),
  ...area('developers', 'developers', 'webhooks:read', [
    page('/keys', 'KeyList', () => import('./screens/developers/keys.tsx'), 'keys:read'),
    page('/keys/$keyId', 'KeyPage', () => import('./screens/developers/keys.tsx'), 'keys:read'),
    page('/webhooks', 'EndpointList', () => import('./screens/developers/endpoints.tsx')),
    page('/webhooks/$endpointId', 'EndpointPage', () => import('./screens/developers/endpoint.tsx')),
    page('/webhooks/deliveries', 'DeliveryList', () => import('./screens/developers/deliveries.tsx')),
    page(
      '/webhooks/deliveries/$deliveryId',
      'DeliveryPage',
      () => import('./screens/developers/delivery-detail.tsx'),
    ),
    page('/webhooks/recoveries', 'RecoveryList', () => import('./screens/developers/recoveries.tsx')),
    page('/events', 'EventList', () => import('./screens/developers/events.tsx')),
    page('/events/$eventId', 'EventPage', () => import('./screens/developers/events.tsx')),
    page('/logs', 'RequestLog', () => import('./screens/developers/requests.tsx'), 'requests:read'),
    page('/logs/problems', 'ProblemList', () => import('./screens/developers/requests.tsx'), 'requests:read'),
    page('/test', 'RehearsalList', () => import('./screens/developers/rehearsals.tsx'), 'sandbox'),
    page(
      '/test/$rehearsalId',
      'RehearsalPage',
      () => import('./screens/developers/rehearsals.tsx'),
      'sandbox',
    ),
    page('/test/clock', 'ClockPage', () => import('./screens/developers/clock.tsx'), 'sandbox'),
  ]),
  ...area('members', 'settings/members', 'members:read', [
    page('', 'MembersPage', () => import('./screens/settings/members.tsx')),
  ]),
  ...area('settings', 'settings', undefined, [
    page('', 'ProfilePage', () => import('./screens/settings/profile.tsx')),
    page('/notices', 'NoticesPage', () => import('./screens/settings/notices.tsx'), 'payments:read'),
    page('/grants', 'Grants', () => import('./screens/settings/grants.tsx'), 'wallets:read'),
    page('/audit', 'AuditPage', () => import('./screens/settings/audit.tsx'), 'audit:read'),
    page('/security', 'SecurityPage', () => import('./screens/settings/security.tsx')),
  ]),
]

/** Where screens were before: each old path with its present one. Links of mails, bookmarks and notes go on working. */
export const movedScreens: Readonly<Record<string, string>> = {
  'developers/deliveries': 'developers/webhooks/deliveries',
  'developers/deliveries/$deliveryId': 'developers/webhooks/deliveries/$deliveryId',
  'developers/recoveries': 'developers/webhooks/recoveries',
  'developers/requests': 'developers/logs',
  'developers/problems': 'developers/logs/problems',
  'developers/rehearsals': 'developers/test',
  'developers/rehearsals/$rehearsalId': 'developers/test/$rehearsalId',
  'developers/clock': 'developers/test/clock',
}

/** What belongs to the user and to no merchant: paths behind `/account/`. Members have the same pages among the settings of their merchant. */
export const userScreens: readonly UserRow[] = [
  userRow('', 'ProfilePage', () => import('./screens/settings/profile.tsx')),
  userRow('security', 'SecurityPage', () => import('./screens/settings/security.tsx')),
]

type Page = Omit<ScreenRow, 'area'>

/** Screens of an area, whose paths begin with `base`. `needs`: of those that do not say it themselves. */
function area(
  name: Area,
  base: string,
  needs: string | undefined,
  pages: readonly Page[],
): readonly ScreenRow[] {
  return pages.map((each) => ({
    ...given({ needs }),
    ...each,
    area: name,
    path: `${base}${each.path}`,
  }))
}

function page<Name extends string>(
  path: string,
  name: Name,
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  needs?: string,
): Page {
  return { path, name, load: load as ScreenRow['load'], ...given({ needs }) }
}

function userRow<Name extends string>(
  path: string,
  name: Name,
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
): UserRow {
  return { path, name, load: load as UserRow['load'] }
}
