import { dictionary } from './dictionary.ts'

/** What the codes of the API mean: why something failed, and why a payer disputes. */
export const reasonWords = dictionary({
  failed: ['Não pôde ser concluído.', 'It could not be completed.', 'No se pudo completar.'],
  failure: {
    insufficient_funds: [
      'O cartão não tem saldo ou limite para isto.',
      'The card has insufficient funds.',
      'La tarjeta no tiene fondos suficientes.',
    ],
    expired_card: ['O cartão venceu.', 'The card has expired.', 'La tarjeta está vencida.'],
    incorrect_cvc: [
      'O código de segurança está errado.',
      'The security code is incorrect.',
      'El código de seguridad no es correcto.',
    ],
    incorrect_number: [
      'O número do cartão está errado.',
      'The card number is incorrect.',
      'El número de la tarjeta no es correcto.',
    ],
    card_not_supported: [
      'Este tipo de cartão não é aceito.',
      'This kind of card is not accepted here.',
      'Este tipo de tarjeta no se acepta.',
    ],
    limit_exceeded: [
      'O valor é maior que o limite do cartão.',
      'The amount is over the limit of the card.',
      'El importe supera el límite de la tarjeta.',
    ],
    authentication_failed: [
      'O banco não pôde confirmar a identidade do pagador.',
      'The bank could not verify the payer’s identity.',
      'El banco no pudo confirmar la identidad del pagador.',
    ],
    processing_error: [
      'Não foi possível fazer contato com o banco.',
      'The bank could not be reached.',
      'No se pudo contactar al banco.',
    ],
    card_declined: [
      'O banco recusou o cartão.',
      'The bank declined the card.',
      'El banco rechazó la tarjeta.',
    ],
    not_confirmed: [
      'O pagador não confirmou o pagamento.',
      'The payer did not confirm the payment.',
      'El pagador no confirmó el pago.',
    ],
    not_confirmed_in_time: [
      'O pagador não confirmou o pagamento a tempo.',
      'The payer did not confirm the payment in time.',
      'El pagador no confirmó el pago a tiempo.',
    ],
    amount_too_small: [
      'O provedor não aceita um valor tão pequeno.',
      'The amount is too small for the provider.',
      'El proveedor no acepta un importe tan pequeño.',
    ],
    amount_too_large: [
      'O provedor não aceita um valor tão grande.',
      'The amount is too large for the provider.',
      'El proveedor no acepta un importe tan grande.',
    ],
    payer_refused: [
      'O provedor não aceitou os dados do pagador.',
      'The provider did not accept the payer’s details.',
      'El proveedor no aceptó los datos del pagador.',
    ],
    voucher_malformed: [
      'O provedor enviou um código inválido; por isso ele não é mostrado.',
      'The provider sent an invalid voucher, so it is not shown.',
      'El proveedor envió un código no válido; por eso no se muestra.',
    ],
    refused_by_provider: ['O provedor recusou.', 'The provider rejected it.', 'El proveedor lo rechazó.'],
    refused_by_bank: ['O banco recusou.', 'The bank rejected it.', 'El banco lo rechazó.'],
    returned_by_bank: [
      'O banco do destinatário devolveu o dinheiro.',
      'The bank of the recipient sent the money back.',
      'El banco del destinatario devolvió el dinero.',
    ],
    refused_by_wallet: [
      'O provedor da carteira recusou.',
      'The wallet provider rejected it.',
      'El proveedor de la billetera lo rechazó.',
    ],
    rejected: [
      'Outra pessoa da conta recusou.',
      'Another person of the account rejected it.',
      'Otra persona de la cuenta lo rechazó.',
    ],
    disputed: [
      'O dinheiro foi devolvido por causa de uma contestação.',
      'The money was returned because of a dispute.',
      'El dinero se devolvió por una disputa.',
    ],
    pix_key_not_found: [
      'Esta chave Pix não existe.',
      'There is no such Pix key.',
      'Esta clave Pix no existe.',
    ],
    provider_funds: [
      'A conta que paga não tem saldo suficiente.',
      'The account that pays does not have enough balance.',
      'La cuenta que paga no tiene saldo suficiente.',
    ],
    provider_limit: [
      'O valor é maior que um limite da conta que paga.',
      'The amount exceeds a limit of the account that pays.',
      'El importe supera un límite de la cuenta que paga.',
    ],
    AB03: [
      'O sistema de pagamentos não liquidou a tempo.',
      'The payment system did not settle it in time.',
      'El sistema de pagos no lo liquidó a tiempo.',
    ],
    AB09: [
      'O banco de quem recebe não pôde aceitar.',
      'The recipient’s bank could not accept it.',
      'El banco de quien recibe no pudo aceptarlo.',
    ],
    AB11: [
      'O banco de quem recebe não respondeu a tempo.',
      'The recipient’s bank did not answer in time.',
      'El banco de quien recibe no respondió a tiempo.',
    ],
    AC03: [
      'A conta de quem recebe não existe.',
      'The recipient’s account does not exist.',
      'La cuenta de quien recibe no existe.',
    ],
    AC06: [
      'A conta de quem recebe está bloqueada.',
      'The recipient’s account is blocked.',
      'La cuenta de quien recibe está bloqueada.',
    ],
    AC07: [
      'A conta de quem recebe está encerrada.',
      'The recipient’s account is closed.',
      'La cuenta de quien recibe está cerrada.',
    ],
    AC14: [
      'A conta de quem recebe é de um tipo que não recebe Pix.',
      'The recipient’s account is of a type that does not accept Pix.',
      'La cuenta de quien recibe es de un tipo que no acepta Pix.',
    ],
    AG03: [
      'O banco de quem recebe não aceita este tipo de transferência.',
      'The recipient’s bank does not accept this kind of transfer.',
      'El banco de quien recibe no acepta este tipo de transferencia.',
    ],
    AM02: [
      'O valor é maior do que a conta de quem recebe aceita.',
      'The amount is more than the recipient’s account accepts.',
      'El importe supera lo que acepta la cuenta de quien recibe.',
    ],
    AM04: [
      'O banco que paga não tem fundos no sistema de pagamentos.',
      'The bank that pays lacks funds in the payment system.',
      'El banco que paga no tiene fondos en el sistema de pagos.',
    ],
    BE01: [
      'A conta é de outra pessoa.',
      'The account belongs to somebody else.',
      'La cuenta es de otra persona.',
    ],
    CH11: [
      'A conta é de outra pessoa.',
      'The account belongs to somebody else.',
      'La cuenta es de otra persona.',
    ],
    DS04: [
      'O banco de quem recebe recusou.',
      'The recipient’s bank rejected it.',
      'El banco de quien recibe lo rechazó.',
    ],
    DUPL: [
      'O sistema de pagamentos já o tinha.',
      'The payment system already had it.',
      'El sistema de pagos ya lo tenía.',
    ],
    ED05: [
      'O sistema de pagamentos não conseguiu liquidar.',
      'The payment system could not settle it.',
      'El sistema de pagos no pudo liquidarlo.',
    ],
    FRAD: [
      'Foi recusado por suspeita de fraude.',
      'It was rejected on suspicion of fraud.',
      'Se rechazó por sospecha de fraude.',
    ],
    RC09: [
      'O sistema de pagamentos não conhece o banco de quem recebe.',
      'The recipient’s bank is not known to the payment system.',
      'El sistema de pagos no conoce el banco de quien recibe.',
    ],
    RC10: [
      'O sistema de pagamentos não conhece o banco de quem recebe.',
      'The recipient’s bank is not known to the payment system.',
      'El sistema de pagos no conoce el banco de quien recibe.',
    ],
    RR04: [
      'Foi recusado por razões regulatórias.',
      'It was rejected for regulatory reasons.',
      'Se rechazó por razones regulatorias.',
    ],
    canceled: [
      'Foi cancelado antes de sair.',
      'It was canceled before it was sent.',
      'Se canceló antes de salir.',
    ],
    reverted: [
      'O token recusou a transferência.',
      'The token rejected the transfer.',
      'El token rechazó la transferencia.',
    ],
    resolved: [
      'O operador verificou que nada foi pago.',
      'The operator has found that nothing was paid.',
      'El operador comprobó que no se pagó nada.',
    ],
    amount_not_allowed: [
      'O valor é maior do que pode ser pago de uma vez.',
      'The amount is more than may be paid at once.',
      'El importe supera lo que se puede pagar de una vez.',
    ],
    recipient_not_allowed: [
      'Este endereço não pode receber pagamentos.',
      'This address cannot be paid.',
      'No se puede pagar a esta dirección.',
    ],
    destination_not_allowed: [
      'Este endereço é usado aqui para receber pagamentos.',
      'This address is used here to receive payments.',
      'Esta dirección se usa aquí para recibir pagos.',
    ],
  },
  dispute: {
    bank_cannot_process: [
      'O banco não conseguiu processar',
      'The bank could not process it',
      'El banco no pudo procesarlo',
    ],
    check_returned: ['Cheque devolvido', 'Check returned', 'Cheque devuelto'],
    credit_not_processed: [
      'Um reembolso prometido não chegou',
      'A promised refund did not arrive',
      'Un reembolso prometido no llegó',
    ],
    customer_initiated: ['Solicitado pelo cliente', 'Requested by the customer', 'Solicitado por el cliente'],
    debit_not_authorized: ['Débito não autorizado', 'Debit not authorized', 'Débito no autorizado'],
    duplicate: ['Cobrado duas vezes', 'Charged twice', 'Cobrado dos veces'],
    fraudulent: [
      'Fraude: o titular não autorizou',
      'Fraud: the holder did not authorize it',
      'Fraude: el titular no lo autorizó',
    ],
    general: ['Sem motivo específico', 'No specific reason', 'Sin motivo específico'],
    incorrect_account_details: [
      'Dados da conta incorretos',
      'Incorrect account details',
      'Datos de la cuenta incorrectos',
    ],
    insufficient_funds: ['Saldo insuficiente', 'Insufficient funds', 'Saldo insuficiente'],
    noncompliant: [
      'Contra as regras da bandeira',
      'Against the rules of the card network',
      'Contra las reglas de la red de tarjetas',
    ],
    product_not_received: ['Produto não recebido', 'Product not received', 'Producto no recibido'],
    product_unacceptable: [
      'Produto com defeito ou diferente do descrito',
      'Product defective or not as described',
      'Producto defectuoso o distinto de lo descrito',
    ],
    subscription_canceled: [
      'Assinatura já cancelada',
      'Subscription was canceled',
      'Suscripción ya cancelada',
    ],
    unrecognized: [
      'O titular não reconhece a cobrança',
      'The holder does not recognize the charge',
      'El titular no reconoce el cargo',
    ],
    ORIGINAL: ['Devolução comum', 'Ordinary return', 'Devolución común'],
    RETIRADA: [
      'Devolução de Pix Saque ou Troco',
      'Return of a Pix withdrawal or change',
      'Devolución de Pix Saque o Troco',
    ],
    MED_OPERACIONAL: [
      'MED: falha operacional do banco',
      'MED: the bank’s operational failure',
      'MED: falla operativa del banco',
    ],
    MED_FRAUDE: ['MED: suspeita de fraude', 'MED: suspicion of fraud', 'MED: sospecha de fraude'],
    MED_PIX_AUTOMATICO: [
      'MED: Pix Automático contestado',
      'MED: automatic Pix contested',
      'MED: Pix automático impugnado',
    ],
  },
})
