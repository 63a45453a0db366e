// The table of screens of the operator's console, as screens.ts for merchants. Each line becomes a route, and each screen a chunk.
import type { ComponentType } from 'react'
import type { Texts } from '#/kernel/dictionary.ts'
import { given } from '#/kernel/given.ts'
import type { OperatorRow } from './shell/screen-tables.ts'

/** The operator's console: paths behind `/operator/`. */
export const operatorScreens: readonly OperatorRow[] = [
  operatorRow('', 'OperatorOverview', () => import('./screens/operator/overview.tsx'), [
    'Pendências',
    'To do',
    'Pendientes',
  ]),
  operatorRow('merchants', 'MerchantList', () => import('./screens/operator/merchants.tsx'), [
    'Lojistas',
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
    'Reembolsos parados',
    'Stuck refunds',
    'Reembolsos detenidos',
  ]),
  operatorRow('freezes', 'FreezeList', () => import('./screens/operator/freezes.tsx'), [
    'Bloqueios',
    'Freezes',
    'Bloqueos',
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
  operatorRow('jobs/$id', 'JobPage', () => import('./screens/operator/jobs.tsx')),
  operatorRow('suspense', 'SuspenseList', () => import('./screens/operator/suspense.tsx'), [
    'Valores não identificados',
    'Unidentified receipts',
    'Importes no identificados',
  ]),
  operatorRow('bank-files', 'BankFileList', () => import('./screens/operator/bank-files.tsx'), [
    'Arquivos do banco',
    'Bank files',
    'Archivos del banco',
  ]),
  operatorRow('payment-files', 'PaymentFileList', () => import('./screens/operator/payment-files.tsx'), [
    'Arquivos de pagamento',
    'Payment files',
    'Archivos de pago',
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
  operatorRow('queues/$name', 'QueuePage', () => import('./screens/operator/queues.tsx')),
  operatorRow('users', 'UserList', () => import('./screens/operator/user.tsx'), [
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

function operatorRow<Name extends string>(
  path: string,
  name: Name,
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  label?: Texts,
): OperatorRow {
  return {
    path,
    name,
    needs: 'operator:read',
    load: load as OperatorRow['load'],
    ...given({ label }),
  }
}
