import { commonWords } from '#/kernel/common-words.ts'
import { counted } from '#/kernel/dictionary.ts'
import { dictionary } from './dictionary.ts'

/** What can be done with a payment. */
export const paymentActionWords = dictionary({
  refundTitle: (amount: string) => [
    `Reembolsar até ${amount}`,
    `Refund up to ${amount}`,
    `Reembolsar hasta ${amount}`,
  ],
  refundLead: [
    'O dinheiro volta para quem pagou. Um reembolso enviado não pode ser desfeito.',
    'The money goes back to the payer. Once sent, a refund cannot be undone.',
    'El dinero vuelve a quien pagó. Un reembolso enviado no se puede deshacer.',
  ],
  refundWhole: ['Valor total restante', 'Full remaining amount', 'Todo el importe restante'],
  refundPart: ['Parte do valor', 'Partial amount', 'Una parte del importe'],
  refundAmount: ['Valor a reembolsar', 'Amount to refund', 'Importe a reembolsar'],
  refundAmountWrong: [
    'Digite um valor entre 0,01 e o que ainda pode ser reembolsado.',
    'Enter an amount between 0.01 and what can still be refunded.',
    'Escriba un importe entre 0,01 y lo que aún se puede reembolsar.',
  ],
  refundTo: commonWords.destination,
  refundToPayer: [
    'Volta pela mesma forma de pagamento, para a conta ou o cartão que pagou.',
    'It goes back the same way, to the account or card that paid.',
    'Vuelve por el mismo medio de pago, a la cuenta o tarjeta que pagó.',
  ],
  refundAddress: [
    'Endereço na BSC que recebe os USDT',
    'BSC address that receives the USDT',
    'Dirección en BSC que recibe los USDT',
  ],
  refundAddressHelp: [
    'Peça ao cliente. Não use o endereço de origem: pode ser de uma corretora.',
    'Ask the customer. Do not use the address the payment came from: it may belong to an exchange.',
    'Pídala al cliente. No use la dirección de origen: puede ser de un exchange.',
  ],
  refundAddressWrong: [
    'Não é um endereço válido: use 0x e 40 dígitos de 0 a 9 e de a a f.',
    'This is not a valid address: use 0x and 40 digits from 0 to 9 and a to f.',
    'No es una dirección válida: use 0x y 40 dígitos de 0 a 9 y de a a f.',
  ],
  refundToSender: ['A conta que pagou', 'The account that paid', 'La cuenta que pagó'],
  refundToOther: ['Outra conta', 'Another account', 'Otra cuenta'],
  refundToOtherHelp: [
    'Outra pessoa precisa aprovar.',
    'Another person has to approve it.',
    'Otra persona debe aprobarlo.',
  ],
  refundSenderUnknown: [
    'O banco não informou a conta que pagou. Peça o IBAN ao cliente.',
    'The bank did not say which account paid. Ask the customer for the IBAN.',
    'El banco no dijo qué cuenta pagó. Pida el IBAN al cliente.',
  ],
  refundSenders: (n: number) =>
    counted(
      n,
      [
        `O dinheiro veio de ${n} conta. Cada reembolso devolve uma transferência, para a conta de onde veio.`,
        `The money came from ${n} account. Each refund returns one transfer to the account it came from.`,
        `El dinero vino de ${n} cuenta. Cada reembolso devuelve una transferencia, a la cuenta de donde vino.`,
      ],
      [
        `O dinheiro veio de ${n} contas. Cada reembolso devolve uma transferência, para a conta de onde veio.`,
        `The money came from ${n} accounts. Each refund returns one transfer to the account it came from.`,
        `El dinero vino de ${n} cuentas. Cada reembolso devuelve una transferencia, a la cuenta de donde vino.`,
      ],
    ),
  refundIban: ['IBAN que recebe', 'Recipient’s IBAN', 'IBAN que recibe'],
  refundBeneficiary: commonWords.beneficiary,
  refundIbanWrong: ['Digite o IBAN completo.', 'Enter the full IBAN.', 'Escriba el IBAN completo.'],
  refundBeneficiaryWrong: [
    'Digite o nome do titular.',
    'Enter the account holder’s name.',
    'Escriba el nombre del titular.',
  ],
  refundReason: [
    'Motivo (o pagador pode ler)',
    'Reason (the payer may see it)',
    'Motivo (el pagador puede leerlo)',
  ],
  refundDo: (amount: string) => [`Reembolsar ${amount}`, `Refund ${amount}`, `Reembolsar ${amount}`],
  refundDone: (amount: string) => [
    `Reembolso de ${amount} solicitado.`,
    `Refund of ${amount} requested.`,
    `Reembolso de ${amount} solicitado.`,
  ],
  shortfall: [
    'Uma subconta não tem saldo para a parte dela neste reembolso. Nada foi reembolsado ainda.',
    'A sub-account does not have enough balance for its share of this refund. Nothing has been refunded yet.',
    'Una subcuenta no tiene saldo para su parte de este reembolso. Aún no se reembolsó nada.',
  ],
  coverShortfall: [
    'Cobrir o que falta com a nossa carteira. A subconta fica devendo.',
    'Cover what is missing from our wallet. The sub-account will owe it.',
    'Cubrir lo que falta desde nuestra billetera. La subcuenta queda debiéndolo.',
  ],
  captureTitle: [
    'Capturar o valor autorizado',
    'Capture the authorized amount',
    'Capturar el importe autorizado',
  ],
  captureLead: (amount: string) => [
    `O valor de ${amount} está autorizado no cartão. O que não for capturado é liberado para o cliente.`,
    `${amount} is authorized on the card. Whatever is not captured is released to the customer.`,
    `Hay ${amount} autorizados en la tarjeta. Lo que no se capture queda libre para el cliente.`,
  ],
  captureAmount: ['Valor a capturar', 'Amount to capture', 'Importe a capturar'],
  captureDo: (amount: string) => [`Capturar ${amount}`, `Capture ${amount}`, `Capturar ${amount}`],
  captureDone: (amount: string) => [
    `Captura de ${amount} solicitada.`,
    `Capture of ${amount} requested.`,
    `Captura de ${amount} solicitada.`,
  ],
  cancelTitle: (amount: string) => [
    `Cancelar o pagamento de ${amount}?`,
    `Cancel the payment of ${amount}?`,
    `¿Cancelar el pago de ${amount}?`,
  ],
  cancelLead: [
    'O pagador não poderá mais pagar por este link. Se já houver uma autorização no cartão, ela é desfeita. Nenhum dinheiro é movimentado.',
    'The payer can no longer pay with this link. If a card was authorized, the authorization is released. No money moves.',
    'El pagador ya no podrá pagar con este enlace. Si hay una autorización en una tarjeta, se anula. No se mueve dinero.',
  ],
  cancelDo: ['Cancelar pagamento', 'Cancel payment', 'Cancelar pago'],
  cancelDone: ['Pagamento cancelado.', 'Payment canceled.', 'Pago cancelado.'],
  simulateTitle: ['Simular pagamento', 'Simulate payment', 'Simular pago'],
  simulateLead: (amount: string) => [
    `O pagador do sandbox paga ${amount} como você escolher. Nenhum dinheiro real é movimentado.`,
    `The sandbox payer pays ${amount} the way you choose. No real money moves.`,
    `El pagador del sandbox paga ${amount} como usted elija. No se mueve dinero real.`,
  ],
  simulateMethod: commonWords.method,
  simulateScenario: ['O que acontece', 'What happens', 'Qué ocurre'],
  simulateDo: ['Pagar', 'Pay', 'Pagar'],
  simulateDone: [
    'O pagador do sandbox está pagando. O status muda em instantes.',
    'The sandbox payer is paying. The status changes in a moment.',
    'El pagador del sandbox está pagando. El estado cambia en un momento.',
  ],
  scenario: {
    expire: ['Não paga: o pagamento vence', 'Does not pay: it expires', 'No paga: el pago vence'],
    exact: ['Paga o valor exato', 'Pays the exact amount', 'Paga el importe exacto'],
    under: ['Paga a menos', 'Pays less', 'Paga de menos'],
    over: ['Paga a mais', 'Pays more', 'Paga de más'],
    twice: ['Paga duas vezes', 'Pays twice', 'Paga dos veces'],
    no_reference: ['Paga sem a referência', 'Pays without the reference', 'Paga sin la referencia'],
    typo: [
      'Erra um caractere da referência',
      'Mistypes one character of the reference',
      'Se equivoca en un carácter de la referencia',
    ],
    late: ['Paga depois do vencimento', 'Pays after it expires', 'Paga después del vencimiento'],
    reorged: [
      'O bloco desaparece e a transferência volta',
      'The block disappears and the transfer returns',
      'El bloque desaparece y la transferencia vuelve',
    ],
    lost_webhook: [
      'A notificação do banco se perde',
      'The bank’s notification is lost',
      'La notificación del banco se pierde',
    ],
    repeated_webhook: [
      'A notificação do banco chega três vezes',
      'The bank’s notification arrives three times',
      'La notificación del banco llega tres veces',
    ],
    med: [
      'O banco retira o dinheiro (MED)',
      'The bank takes the money back (MED)',
      'El banco retira el dinero (MED)',
    ],
    success: ['Cartão aprovado', 'Card approved', 'Tarjeta aprobada'],
    decline: ['Cartão recusado', 'Card declined', 'Tarjeta rechazada'],
    insufficient_funds: ['Limite insuficiente', 'Insufficient funds', 'Fondos insuficientes'],
    challenge: [
      'Pede confirmação (3-D Secure)',
      'Asks for confirmation (3-D Secure)',
      'Pide confirmación (3-D Secure)',
    ],
    dispute: ['O titular contesta depois', 'The holder disputes it later', 'El titular la disputa después'],
    confirm: ['Confirma', 'Confirms', 'Confirma'],
    approve: ['Aprova', 'Approves', 'Aprueba'],
    leave: ['Não responde', 'Does not respond', 'No responde'],
    slow: [
      'Paga, e o dinheiro demora a chegar',
      'Pays, and the money takes a while',
      'Paga, y el dinero tarda',
    ],
    fail: ['Paga, e o dinheiro não chega', 'Pays, and the money never arrives', 'Paga, y el dinero no llega'],
    refuse: ['Recusa', 'Declines', 'Rechaza'],
  },
})
