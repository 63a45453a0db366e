// The table of screens of the operator's console, as screens.ts for merchants. Each line becomes a route, and each screen a chunk. Their
// places in the navigation are in shell/console-entries.ts, which is loaded with the console.
import type { ComponentType } from 'react'
import type { OperatorRow } from './shell/screen-tables.ts'

/** The operator's console: paths behind `/operator/`. */
export const operatorScreens: readonly OperatorRow[] = [
  operatorRow('', 'OperatorOverview', () => import('./screens/operator/overview.tsx')),
  operatorRow('merchants', 'MerchantList', () => import('./screens/operator/merchants.tsx')),
  operatorRow('merchants/$id', 'OperatorMerchant', () => import('./screens/operator/merchant.tsx')),
  operatorRow('withdrawals', 'StuckWithdrawals', () => import('./screens/operator/payouts.tsx')),
  operatorRow('refunds', 'StuckRefunds', () => import('./screens/operator/payouts.tsx')),
  operatorRow('freezes', 'FreezeList', () => import('./screens/operator/freezes.tsx')),
  operatorRow('connections', 'ConnectionList', () => import('./screens/operator/connections.tsx')),
  operatorRow('connections/new', 'NewConnection', () => import('./screens/operator/connection-form.tsx')),
  operatorRow('connections/$id', 'ConnectionPage', () => import('./screens/operator/connection.tsx')),
  operatorRow(
    'connections/$id/replace',
    'ReplaceConnection',
    () => import('./screens/operator/connection-form.tsx'),
  ),
  operatorRow('jobs', 'JobList', () => import('./screens/operator/jobs.tsx')),
  operatorRow('jobs/$id', 'JobPage', () => import('./screens/operator/jobs.tsx')),
  operatorRow('suspense', 'SuspenseList', () => import('./screens/operator/suspense.tsx')),
  operatorRow('bank-files', 'BankFileList', () => import('./screens/operator/bank-files.tsx')),
  operatorRow('payment-files', 'PaymentFileList', () => import('./screens/operator/payment-files.tsx')),
  operatorRow('chains', 'ChainsPage', () => import('./screens/operator/chains.tsx')),
  operatorRow('queues', 'QueueList', () => import('./screens/operator/queues.tsx')),
  operatorRow('queues/$name', 'QueuePage', () => import('./screens/operator/queues.tsx')),
  operatorRow('users', 'UserList', () => import('./screens/operator/user.tsx')),
  operatorRow('users/$id', 'UserPage', () => import('./screens/operator/user.tsx')),
  operatorRow('audit', 'AuditPage', () => import('./screens/operator/audit.tsx')),
]

function operatorRow<Name extends string>(
  path: string,
  name: Name,
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
): OperatorRow {
  return {
    path,
    name,
    needs: 'operator:read',
    load: load as OperatorRow['load'],
  }
}
