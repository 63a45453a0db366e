import { commonWords } from '#/kernel/common-words.ts'
import { counted } from '#/kernel/dictionary.ts'
import { dictionary } from './dictionary.ts'

export const walletWords = dictionary({
  title: commonWords.wallets,
  owed: ['Saldo devedor', 'Owed', 'Saldo deudor'],
  sums: ['Totais por moeda', 'Totals by currency', 'Totales por moneda'],
  types: {
    SPENDABLE: ['Para gastar', 'Spendable', 'Para gastar'],
    RESERVE: ['Reserva', 'Reserve', 'Reserva'],
  },
  typeHelp: {
    SPENDABLE: ['Paga saques e reembolsos.', 'Pays withdrawals and refunds.', 'Paga retiros y reembolsos.'],
    RESERVE: [
      'Guarda dinheiro: não paga saques. Você pode transferir dela.',
      'Keeps money: it pays no withdrawals. You can transfer from it.',
      'Guarda dinero: no paga retiros. Usted puede transferir desde ella.',
    ],
  },
  isDefault: ['Padrão', 'Default', 'Predeterminada'],
  inactive: ['Inativa', 'Inactive', 'Inactiva'],
  none: ['Nenhuma carteira', 'No wallets', 'Ninguna billetera'],
  noneLead: [
    'Crie a primeira para separar o dinheiro por finalidade.',
    'Create the first, to keep money apart by its purpose.',
    'Cree la primera para separar el dinero por su fin.',
  ],
  create: ['Nova carteira', 'New wallet', 'Nueva billetera'],
  createLead: [
    'O saldo começa em zero. O que você recebe continua na carteira padrão da moeda.',
    'It starts at zero. What you receive still goes to the default wallet of the currency.',
    'Empieza en cero. Lo que usted recibe sigue en la billetera predeterminada de la moneda.',
  ],
  createDo: ['Criar carteira', 'Create wallet', 'Crear billetera'],
  created: (name: string) => [
    `Carteira ${name} criada.`,
    `The wallet ${name} was created.`,
    `La billetera ${name} fue creada.`,
  ],
  nameHelp: [
    'Só pessoas da conta veem este nome.',
    'Only people of the account see this name.',
    'Solo las personas de la cuenta ven este nombre.',
  ],
  nameWrong: [
    'Digite um nome de até 100 caracteres.',
    'Enter a name of up to 100 characters.',
    'Escriba un nombre de hasta 100 caracteres.',
  ],
  change: ['Alterar', 'Change', 'Cambiar'],
  changeTitle: ['Alterar carteira', 'Change wallet', 'Cambiar billetera'],
  changeDo: commonWords.save,
  changed: ['Carteira alterada.', 'Wallet updated.', 'Billetera modificada.'],
  activeHelp: [
    'Uma carteira inativa não paga nada; o que entra ainda é creditado.',
    'An inactive wallet pays nothing; what comes in is still credited.',
    'Una billetera inactiva no paga nada; lo que entra aún se acredita.',
  ],
  activeDefault: [
    'A carteira padrão de uma moeda fica sempre ativa.',
    'The default wallet of a currency always stays active.',
    'La billetera predeterminada de una moneda siempre queda activa.',
  ],
  transfer: ['Transferir', 'Transfer', 'Transferir'],
  transferTitle: [
    'Transferir entre suas carteiras',
    'Transfer between your wallets',
    'Transferir entre sus billeteras',
  ],
  transferLead: [
    'O dinheiro muda de carteira na hora. Para desfazer, transfira de volta.',
    'The money changes wallets at once. To undo it, transfer it back.',
    'El dinero cambia de billetera al instante. Para deshacerlo, transfiéralo de vuelta.',
  ],
  to: ['Para', 'To', 'A'],
  amountWrong: (most: string) => [
    `Digite um valor entre 0,01 e ${most}.`,
    `Enter an amount between 0.01 and ${most}.`,
    `Escriba un importe entre 0,01 y ${most}.`,
  ],
  note: [
    'Descrição (aparece no extrato)',
    'Description (shown in the statement)',
    'Descripción (aparece en el extracto)',
  ],
  sides: ['Depois da transferência', 'After the transfer', 'Después de la transferencia'],
  remains: (name: string) => [`Fica em ${name}`, `Stays in ${name}`, `Queda en ${name}`],
  arrives: (name: string) => [`Novo saldo em ${name}`, `New balance in ${name}`, `Nuevo saldo en ${name}`],
  transferDo: (amount: string) => [`Transferir ${amount}`, `Transfer ${amount}`, `Transferir ${amount}`],
  transferDone: (amount: string, name: string) => [
    `${amount} transferidos para ${name}.`,
    `${amount} moved to ${name}.`,
    `${amount} transferidos a ${name}.`,
  ],
  transferNowhere: [
    'Não há outra carteira desta moeda. Crie uma para transferir.',
    'There is no other wallet in this currency. Create one to transfer to.',
    'No hay otra billetera de esta moneda. Cree una para transferir.',
  ],
  statement: ['Extrato', 'Statement', 'Extracto'],
  what: ['Movimento', 'Movement', 'Movimiento'],
  balanceAfter: ['Saldo', 'Balance', 'Saldo'],
  noneMoved: ['Nenhum movimento ainda', 'No movements yet', 'Aún no hay movimientos'],
  noneMovedLead: [
    'O primeiro valor que entrar ou sair desta carteira aparece aqui.',
    'The first amount that enters or leaves this wallet shows here.',
    'El primer importe que entre o salga de esta billetera aparece aquí.',
  ],
  noneFound: [
    'Nenhum movimento com estes filtros',
    'No movements with these filters',
    'Ningún movimiento con estos filtros',
  ],
  fresh: [
    'Houve movimentos novos. Mostrar',
    'There are new movements. Show',
    'Hay movimientos nuevos. Mostrar',
  ],
  span: {
    from: commonWords.fromDay,
    to: commonWords.to,
  },
  spans: {
    '30d': ['30 dias', '30 days', '30 días'],
    '90d': ['90 dias', '90 days', '90 días'],
    '12m': ['12 meses', '12 months', '12 meses'],
  },
  ofx: ['Baixar OFX', 'Download OFX', 'Descargar OFX'],
  ofxRunning: (count: string) =>
    counted(
      count,
      [`${count} movimento…`, `${count} movement…`, `${count} movimiento…`],
      [`${count} movimentos…`, `${count} movements…`, `${count} movimientos…`],
    ),
  ofxNone: [
    'Não há movimentos neste período para o arquivo.',
    'There are no movements in this period for the file.',
    'No hay movimientos en este período para el archivo.',
  ],
  ofxTooMany: (count: string) =>
    counted(
      count,
      [
        `Um arquivo OFX tem até ${count} movimento. Escolha um período menor.`,
        `An OFX file has up to ${count} movement. Choose a shorter period.`,
        `Un archivo OFX tiene hasta ${count} movimiento. Elija un período menor.`,
      ],
      [
        `Um arquivo OFX tem até ${count} movimentos. Escolha um período menor.`,
        `An OFX file has up to ${count} movements. Choose a shorter period.`,
        `Un archivo OFX tiene hasta ${count} movimientos. Elija un período menor.`,
      ],
    ),
  history: ['Saldo ao longo do tempo', 'Balance over time', 'Saldo en el tiempo'],
  copyId: ['ID da carteira', 'wallet ID', 'ID de la billetera'],
  kind: {
    PAYMENT: commonWords.payment,
    RELEASE: ['Valor liberado', 'Released', 'Importe liberado'],
    FEE: commonWords.fee,
    REFUND: commonWords.refund,
    REFUND_RETURNED: ['Reembolso que voltou', 'Returned refund', 'Reembolso que volvió'],
    DISPUTE: commonWords.dispute,
    DISPUTE_WON: ['Contestação ganha', 'Dispute won', 'Disputa ganada'],
    WITHDRAWAL: commonWords.withdrawal,
    WITHDRAWAL_RETURNED: ['Saque que voltou', 'Returned withdrawal', 'Retiro que volvió'],
    TRANSFER: ['Transferência', 'Transfer', 'Transferencia'],
    RECEIVABLE_REPAID: ['Dívida paga', 'Debt repaid', 'Deuda pagada'],
    SHARE: ['Parte de um pagamento', 'Share of a payment', 'Parte de un pago'],
    SHARE_FEE: ['Tarifa da parte', 'Fee of a share', 'Comisión de la parte'],
    SHARE_RETURNED: ['Parte que voltou', 'Share that went back', 'Parte que volvió'],
    SHARE_REPAID: ['Dívida paga com uma parte', 'Debt repaid from a share', 'Deuda pagada con una parte'],
    ADJUSTMENT: ['Ajuste', 'Adjustment', 'Ajuste'],
  },
})
