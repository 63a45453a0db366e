// The table of screens. To add one: write it in screens/<area>/, and give it a line here. Each line becomes a route, and each screen a chunk.
import type { ComponentType } from 'react'

type Screen = { readonly default?: never } & Readonly<Record<string, ComponentType>>

export type Area =
  | 'overview'
  | 'payments'
  | 'link'
  | 'wallets'
  | 'subaccounts'
  | 'withdrawals'
  | 'refunds'
  | 'disputes'
  | 'reports'
  | 'templates'
  | 'developers'
  | 'settings'

export type ScreenRow = {
  readonly area: Area
  /** Behind `/m/{merchant}/`. A parameter is `$name`. */
  readonly path: string
  /** What the role must have, for the screen and its place in the navigation. */
  readonly needs?: string
  readonly load: () => Promise<Screen>
  /** The component's name in the file. */
  readonly name: string
}

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
    () => import('./screens/withdrawals/batch.tsx'),
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

/** The operator's console: paths behind `/operator/`. It appears in the navigation when this table and the user's permissions are not empty. */
export const operatorScreens: readonly OperatorRow[] = [
  operatorRow('merchants', 'MerchantList', () => import('./screens/operator/merchants.tsx'), [
    'Contas de lojistas',
    'Merchants',
    'Comercios',
  ]),
  operatorRow('merchants/$id', 'OperatorMerchant', () => import('./screens/operator/merchant.tsx')),
  operatorRow('withdrawals', 'StuckWithdrawals', () => import('./screens/operator/payouts.tsx'), [
    'Saques parados',
    'Stuck withdrawals',
    'Retiros detenidos',
  ]),
  operatorRow('refunds', 'StuckRefunds', () => import('./screens/operator/payouts.tsx'), [
    'Devoluções paradas',
    'Stuck refunds',
    'Devoluciones detenidas',
  ]),
  operatorRow('freezes', 'FreezeList', () => import('./screens/operator/freezes.tsx'), [
    'Congelamentos',
    'Freezes',
    'Congelaciones',
  ]),
  operatorRow('connections', 'ConnectionList', () => import('./screens/operator/connections.tsx'), [
    'Conexões',
    'Connections',
    'Conexiones',
  ]),
  operatorRow('connections/new', 'NewConnection', () => import('./screens/operator/connection-form.tsx')),
  operatorRow('connections/$id', 'ConnectionPage', () => import('./screens/operator/connection.tsx')),
  operatorRow(
    'connections/$id/replace',
    'ReplaceConnection',
    () => import('./screens/operator/connection-form.tsx'),
  ),
  operatorRow('jobs', 'JobList', () => import('./screens/operator/jobs.tsx'), ['Tarefas', 'Jobs', 'Tareas']),
  operatorRow('jobs/$id', 'JobPage', () => import('./screens/operator/job.tsx')),
  operatorRow('suspense', 'SuspenseList', () => import('./screens/operator/suspense.tsx'), [
    'Dinheiro sem dono',
    'Unmatched money',
    'Dinero sin dueño',
  ]),
  operatorRow('chains', 'ChainsPage', () => import('./screens/operator/chains.tsx'), [
    'Redes e tesouraria',
    'Chains and treasury',
    'Redes y tesorería',
  ]),
  operatorRow('queues', 'QueueList', () => import('./screens/operator/queues.tsx'), [
    'Filas',
    'Queues',
    'Colas',
  ]),
  operatorRow('queues/$name', 'QueuePage', () => import('./screens/operator/queue.tsx')),
  operatorRow('users', 'UserList', () => import('./screens/operator/users.tsx'), [
    'Usuários',
    'Users',
    'Usuarios',
  ]),
  operatorRow('users/$id', 'UserPage', () => import('./screens/operator/user.tsx')),
  operatorRow('audit', 'AuditPage', () => import('./screens/operator/audit.tsx'), [
    'Auditoria',
    'Audit log',
    'Auditoría',
  ]),
]

export type OperatorRow = {
  readonly path: string
  readonly needs: string
  /** Absent: it is reached from another screen, and has no place in the navigation. */
  readonly label?: Readonly<Record<'pt-BR' | 'en' | 'es', string>>
  readonly load: () => Promise<Screen>
  readonly name: string
}

/** The order of the navigation. */
const areas: readonly Area[] = [
  'overview',
  'payments',
  'link',
  'wallets',
  'subaccounts',
  'withdrawals',
  'refunds',
  'disputes',
  'reports',
  'templates',
  'developers',
  'settings',
]

/** The areas that have screens which these permissions allow, each with the first of them. */
export function areasFor(
  permissions: readonly string[],
): readonly { readonly area: Area; readonly path: string }[] {
  return areas.flatMap((area) => {
    const first = screens.find(
      (each) =>
        each.area === area &&
        !each.path.includes('$') &&
        (each.needs === undefined || permissions.includes(each.needs)),
    )
    return first === undefined ? [] : [{ area, path: first.path }]
  })
}

function row<Name extends string>(
  area: Area,
  path: string,
  name: Name,
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  needs?: string,
): ScreenRow {
  return { area, path, name, load: load as ScreenRow['load'], ...(needs === undefined ? {} : { needs }) }
}

/** `label`: in pt-BR, en and es. */
function operatorRow<Name extends string>(
  path: string,
  name: Name,
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  label?: readonly [string, string, string],
): OperatorRow {
  return {
    path,
    name,
    needs: 'operator:read',
    load: load as OperatorRow['load'],
    ...(label === undefined ? {} : { label: { 'pt-BR': label[0], en: label[1], es: label[2] } }),
  }
}
