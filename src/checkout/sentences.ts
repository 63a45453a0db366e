// The page's texts for every method: what happened, what it means for the money, and what to do next. The texts of one method are
// in methods/.
import { commonWords } from '#/kernel/common-words.ts'
import { counted, dictionary } from '#/kernel/dictionary.ts'
import { timeInSpanish } from './format.ts'

/** The amount that arrived, and the amount of the payment. The currency is named once: "8.00 USDT of 10.00". */
export type Sent = { readonly received: string; readonly amount: string }

export const sentences = dictionary({
  /** A time of today, or a day and a time. */
  until: (time: string, isToday: boolean) => [
    `até ${time}`,
    `by ${time}`,
    `hasta ${isToday ? timeInSpanish(time) : `el ${time}`}`,
  ],
  choose: {
    headline: ['Como você quer pagar?', 'How would you like to pay?', '¿Cómo quiere pagar?'],
    message: [
      'Escolha a forma de pagamento. Você pode trocar antes de pagar.',
      'Choose how to pay. You can change it before you pay.',
      'Elija la forma de pago. Puede cambiarla antes de pagar.',
    ],
    one: [
      'Preencha os dados que faltam e siga para o pagamento.',
      'Fill in the missing details and continue to payment.',
      'Complete los datos que faltan y continúe con el pago.',
    ],
  },
  /** In the place of a method's hint. */
  shut: ['Indisponível no momento', 'Not available right now', 'No disponible en este momento'],
  preparing: {
    headline: ['Só um momento', 'One moment', 'Un momento'],
    message: [
      'Estamos preparando seu pagamento.',
      'We’re getting your payment ready.',
      'Estamos preparando su pago.',
    ],
  },
  confirming: {
    headline: ['Estamos confirmando o pagamento', 'Confirming your payment', 'Estamos confirmando su pago'],
    message: [
      'Seu pagamento está sendo processado. Não é preciso fazer mais nada, nem pagar de novo.',
      'Your payment is being processed. There’s nothing more to do; please don’t pay again.',
      'Su pago se está procesando. No tiene que hacer nada más ni pagar de nuevo.',
    ],
  },
  underpaid: {
    headline: ['Pagamento incompleto', 'Payment incomplete', 'Pago incompleto'],
    message: ({ received, amount }: Sent, merchant: string) => [
      `Recebemos ${received} de ${amount}. Fale com a loja para pagar o restante.`,
      `We received ${received} of ${amount}. Contact ${merchant} to pay the rest.`,
      `Recibimos ${received} de ${amount}. Comuníquese con la tienda para pagar el resto.`,
    ],
  },
  paid: {
    headline: ['Pagamento confirmado', 'Payment confirmed', 'Pago confirmado'],
    message: (merchant: string) => [
      `${merchant} recebeu seu pagamento. Obrigado!`,
      `${merchant} has received your payment. Thank you!`,
      `${merchant} recibió su pago. ¡Gracias!`,
    ],
    /** More is on its way. */
    another: (amount: string, merchant: string) => [
      `Mais ${amount} estão a caminho. Este pagamento já foi feito: fale com a loja sobre o segundo.`,
      `Another ${amount} is on its way. This payment is already paid: contact ${merchant} about the second one.`,
      `Otros ${amount} están en camino. Este pago ya está hecho: comuníquese con la tienda por el segundo.`,
    ],
  },
  overpaid: {
    headline: ['Pago com valor a mais', 'Overpaid', 'Pagó de más'],
    message: ({ received, amount }: Sent, excess: string, merchant: string) => [
      `Recebemos ${received} por uma cobrança de ${amount}. A loja já foi avisada. Fale com a loja para receber ${excess} de volta.`,
      `We received ${received} for a payment of ${amount}. We’ve told ${merchant}. Contact them to get ${excess} back.`,
      `Recibimos ${received} por un cobro de ${amount}. Ya avisamos a la tienda. Comuníquese con la tienda para que le devuelvan ${excess}.`,
    ],
  },
  late: {
    headline: ['Pago fora do prazo', 'Paid late', 'Pagó fuera de plazo'],
    message: (merchant: string) => [
      'Seu pagamento chegou completo, mas depois do prazo. A loja já foi avisada. Fale com a loja sobre o seu pedido.',
      `Your payment arrived in full, but after the deadline. We’ve told ${merchant}. Contact them about your order.`,
      'Su pago llegó completo, pero después del plazo. Ya avisamos a la tienda. Comuníquese con la tienda para saber de su pedido.',
    ],
  },
  expired: {
    headline: [
      'O prazo para pagar terminou',
      'The time to pay has run out',
      'Se terminó el plazo para pagar',
    ],
    message: (merchant: string) => [
      'Não recebemos nenhum pagamento e nada foi cobrado. Volte à loja e comece de novo. Já pagou? Não pague outra vez: fale com a loja.',
      `We received no payment and nothing was charged. Go back to ${merchant} and start again. Already paid? Don’t pay twice: contact ${merchant}.`,
      'No recibimos ningún pago y no se cobró nada. Vuelva a la tienda y empiece de nuevo. ¿Ya pagó? No pague otra vez: comuníquese con la tienda.',
    ],
    withMoney: ({ received, amount }: Sent, merchant: string) => [
      `Recebemos ${received} de ${amount}, mas o prazo terminou. Seu dinheiro está seguro. Fale com a loja para receber o valor de volta ou pagar o restante.`,
      `We received ${received} of ${amount}, but the time has run out. Your money is safe. Contact ${merchant} to get it back or to pay the rest.`,
      `Recibimos ${received} de ${amount}, pero se terminó el plazo. Su dinero está seguro. Comuníquese con la tienda para que se lo devuelvan o para pagar el resto.`,
    ],
  },
  failed: {
    headline: [
      'Não foi possível concluir o pagamento',
      'The payment couldn’t be completed',
      'No se pudo completar el pago',
    ],
    message: (merchant: string) => [
      'Nada foi cobrado. Volte à loja e comece de novo, ou pague de outra forma.',
      `Nothing was charged. Go back to ${merchant} and start again, or pay another way.`,
      'No se cobró nada. Vuelva a la tienda y empiece de nuevo, o pague de otra forma.',
    ],
  },
  canceled: {
    headline: ['Pagamento cancelado', 'Payment canceled', 'Pago cancelado'],
    message: (merchant: string) => [
      'Nada foi cobrado. Se quiser pagar, volte à loja e comece de novo.',
      `Nothing was charged. If you still want to pay, go back to ${merchant} and start again.`,
      'No se cobró nada. Si desea pagar, vuelva a la tienda y empiece de nuevo.',
    ],
  },
  /** Money is on its way to a payment that was canceled or failed. */
  onItsWay: {
    headline: ['Seu dinheiro está a caminho', 'Your money is on its way', 'Su dinero está en camino'],
    message: (amount: string, merchant: string) => [
      `Identificamos ${amount}, enviados para um pagamento já encerrado. Seu dinheiro está seguro; não pague de novo. Esta página mostrará quando ele chegar. Depois, fale com a loja.`,
      `We found ${amount}, sent for a payment that is already closed. Your money is safe; please don’t pay again. This page shows when it arrives. Then contact ${merchant}.`,
      `Encontramos ${amount}, enviados para un pago que ya está cerrado. Su dinero está seguro; no pague de nuevo. Esta página mostrará cuando llegue. Luego comuníquese con la tienda.`,
    ],
  },
  endedWithMoney: ({ received, amount }: Sent, merchant: string) => [
    `Recebemos ${received} de ${amount}. Seu dinheiro está seguro. Fale com a loja para receber o valor de volta.`,
    `We received ${received} of ${amount}. Your money is safe. Contact ${merchant} to get it back.`,
    `Recibimos ${received} de ${amount}. Su dinero está seguro. Comuníquese con la tienda para que se lo devuelvan.`,
  ],
  /** A failed try, by the rail's code, for codes that several methods report; `other` for the rest. */
  declines: {
    amount_too_small: [
      'Valor baixo demais para esta forma de pagamento. Escolha outra ou fale com a loja.',
      'The amount is too small for this payment method. Choose another, or contact the store.',
      'El monto es demasiado bajo para esta forma de pago. Elija otra o comuníquese con la tienda.',
    ],
    amount_too_large: [
      'Valor alto demais para esta forma de pagamento. Escolha outra ou fale com a loja.',
      'The amount is too large for this payment method. Choose another, or contact the store.',
      'El monto es demasiado alto para esta forma de pago. Elija otra o comuníquese con la tienda.',
    ],
    payer_refused: [
      'A processadora do pagamento não aceitou seus dados. Confira e tente de novo.',
      'The payment processor didn’t accept your details. Check them and try again.',
      'El procesador de pagos no aceptó sus datos. Revíselos e intente de nuevo.',
    ],
    refused_by_provider: [
      'A processadora do pagamento não aceitou este pagamento. Escolha outra forma ou fale com a loja.',
      'The payment processor didn’t accept this payment. Choose another method, or contact the store.',
      'El procesador de pagos no aceptó este pago. Elija otra forma o comuníquese con la tienda.',
    ],
    other: [
      'O pagamento foi recusado. Tente de novo; se não der certo, fale com a loja.',
      'The payment was declined. Try again; if that doesn’t work, contact the store.',
      'El pago fue rechazado. Intente de nuevo; si no funciona, comuníquese con la tienda.',
    ],
  },
  problems: {
    provider_away: [
      'A processadora do pagamento não está respondendo. Nada foi cobrado. Tente de novo em instantes.',
      'The payment processor isn’t responding. Nothing was charged. Try again in a moment.',
      'El procesador de pagos no responde. No se cobró nada. Intente de nuevo en un momento.',
    ],
    refused: [
      'Esta forma de pagamento não está disponível no momento. Escolha outra.',
      'This payment method isn’t available right now. Choose another.',
      'Esta forma de pago no está disponible en este momento. Elija otra.',
    ],
    /** Only the time of the method is over, not that of the payment. Money may still be on its way. */
    over: (method: string) => [
      `O tempo para pagar com ${method} acabou. Se você já pagou, aguarde: esta página se atualiza sozinha. Se não, escolha de novo.`,
      `The time to pay by ${method} is over. If you have paid, wait: this page updates by itself. If not, choose again.`,
      `El tiempo para pagar con ${method} terminó. Si ya pagó, espere: esta página se actualiza sola. Si no, elija de nuevo.`,
    ],
    /** The payer stays with the method chosen before. */
    kept: (tried: string, current: string) => [
      `${tried} não está disponível no momento. Nada foi cobrado. Pague com ${current} aqui ou escolha outra forma.`,
      `${tried} isn’t available right now. Nothing was charged. Pay with ${current} here, or choose another method.`,
      `${tried} no está disponible en este momento. No se cobró nada. Pague con ${current} aquí o elija otra forma.`,
    ],
  },
  items: {
    label: ['Itens', 'Items', 'Artículos'],
    count: (count: string) =>
      counted(
        count,
        [`${count} item`, `${count} item`, `${count} artículo`],
        [`${count} itens`, `${count} items`, `${count} artículos`],
      ),
  },
  receipt: {
    amount: commonWords.payerAmount,
    received: ['Valor recebido', 'Amount received', 'Monto recibido'],
    method: ['Forma de pagamento', 'Payment method', 'Forma de pago'],
    paidAt: ['Pago em', 'Paid on', 'Pagado el'],
    to: ['Pago para', 'Paid to', 'Pagado a'],
    number: ['ID do pagamento', 'Payment ID', 'ID del pago'],
    transaction: commonWords.transaction,
    payer: ['Pagador', 'Payer', 'Pagador'],
    payerTaxId: ['CPF ou CNPJ do pagador', 'Payer’s CPF or CNPJ', 'CPF o CNPJ del pagador'],
    payerForeignTaxId: [
      'Identificação fiscal do pagador',
      'Payer’s tax ID',
      'Identificación fiscal del pagador',
    ],
    legalName: commonWords.legalName,
    taxId: commonWords.taxId,
    endToEndId: ['ID do Pix (EndToEndId)', 'Pix ID (EndToEndId)', 'ID del Pix (EndToEndId)'],
    network: ['Rede', 'Network', 'Red'],
    line: ['Linha digitável', 'Boleto line', 'Línea del boleto'],
    voucher: ['Entidade e referência', 'Entity and reference', 'Entidad y referencia'],
    reference: ['Referência do pagamento', 'Payment reference', 'Referencia del pago'],
    account: ['Conta que recebeu', 'Receiving account', 'Cuenta receptora'],
    bankReference: ['Referência do banco', 'Bank reference', 'Referencia del banco'],
    transactionReference: [
      'Referência da transação',
      'Transaction reference',
      'Referencia de la transacción',
    ],
  },
  fields: {
    name: commonWords.name,
    email: commonWords.email,
    phone: commonWords.phone,
    taxId: ['CPF ou CNPJ', 'CPF or CNPJ', 'CPF o CNPJ'],
    foreignTaxId: commonWords.taxId,
    iban: ['IBAN', 'IBAN', 'IBAN'],
    country: ['País', 'Country', 'País'],
    postcode: ['CEP ou código postal', 'ZIP or postal code', 'Código postal'],
    line1: commonWords.address,
    line2: ['Complemento', 'Apartment, floor, or other details', 'Apartamento, piso u otros datos'],
    district: ['Bairro', 'District', 'Barrio'],
    city: ['Cidade', 'City', 'Ciudad'],
    region: ['Estado ou região', 'State or region', 'Estado o región'],
  },
  faults: {
    required: (label: string) => [
      `Preencha o campo ${label}.`,
      `${label} is required.`,
      `Complete el campo ${label}.`,
    ],
    email: [
      'Digite um e-mail válido, como ana@exemplo.com.br.',
      'Enter a valid email, such as ana@example.com.',
      'Ingrese un correo electrónico válido, como ana@ejemplo.com.',
    ],
    phone: [
      'Digite um telefone válido com o código do país, como +55 11 91234-5678.',
      'Enter a valid phone number with its country code, such as +55 11 91234-5678.',
      'Ingrese un teléfono válido con el código de país, como +55 11 91234-5678.',
    ],
    taxId: [
      'CPF ou CNPJ inválido. Confira os números.',
      'Invalid CPF or CNPJ. Check the digits.',
      'CPF o CNPJ no válido. Revise los números.',
    ],
    foreignTaxId: [
      'Número fiscal inválido para o seu país. Confira os dígitos.',
      'This isn’t a tax ID of your country. Check the digits.',
      'Este número fiscal no es válido en su país. Revise los dígitos.',
    ],
    iban: [
      'Digite um IBAN válido de um banco da área SEPA, como PT50 0002 0123 1234 5678 9015 4.',
      'Enter a valid IBAN of a bank in the SEPA area, such as PT50 0002 0123 1234 5678 9015 4.',
      'Ingrese un IBAN válido de un banco de la zona SEPA, como PT50 0002 0123 1234 5678 9015 4.',
    ],
    tooLong: [
      'Texto longo demais. Escreva um mais curto.',
      'This is too long. Shorten it.',
      'El texto es demasiado largo. Escriba uno más corto.',
    ],
    card: [
      'Não digite o número do cartão aqui. Use o formulário do cartão.',
      'Don’t enter your card number here. Use the card form.',
      'No escriba el número de la tarjeta aquí. Use el formulario de la tarjeta.',
    ],
    country: ['Escolha um país na lista.', 'Choose a country from the list.', 'Elija un país de la lista.'],
  },
  /** Beside the IBAN: what the SEPA Direct Debit Core rulebook makes a mandate say. */
  mandate: (merchant: string) => [
    `Ao continuar, você aceita este mandato: autoriza ${merchant}, e em seu nome quem processa o pagamento, a enviar instruções ao seu banco para debitar esta conta uma vez, e o seu banco a debitá-la conforme essas instruções. Você tem direito a reembolso pelo seu banco nas condições do seu contrato com ele. O reembolso deve ser pedido em até oito semanas a partir da data do débito na sua conta. Você concorda em ser avisado do débito pouco antes dele.`,
    `By continuing, you accept this mandate: you authorize ${merchant}, and the payment processor on its behalf, to send instructions to your bank to debit this account once, and your bank to debit it in accordance with them. You are entitled to a refund from your bank under the terms of your agreement with it. A refund must be claimed within eight weeks from the date on which your account was debited. You agree to be told of the debit shortly before it happens.`,
    `Al continuar, usted acepta este mandato: autoriza a ${merchant}, y en su nombre a quien procesa el pago, a enviar instrucciones a su banco para adeudar esta cuenta una vez, y a su banco a adeudarla de acuerdo con ellas. Tiene derecho a que su banco le devuelva el dinero según las condiciones de su contrato con él. La devolución debe reclamarse dentro de las ocho semanas siguientes a la fecha del adeudo en su cuenta. Acepta que se le avise del adeudo poco antes.`,
  ],
  links: {
    back: (merchant: string) => [`Voltar para ${merchant}`, `Back to ${merchant}`, `Volver a ${merchant}`],
    support: (merchant: string) => [
      `Falar com ${merchant}`,
      `Contact ${merchant}`,
      `Contactar a ${merchant}`,
    ],
    terms: ['Termos', 'Terms', 'Términos'],
    privacy: ['Privacidade', 'Privacy', 'Privacidad'],
  },
  /** Pages that show no payment. */
  pages: {
    not_found: {
      title: ['Pagamento não encontrado', 'Payment not found', 'No encontramos este pago'],
      message: [
        'O link pode estar incompleto. Abra de novo pela loja ou pela mensagem que você recebeu.',
        'The link may be incomplete. Open it again from the store or the message you received.',
        'El enlace puede estar incompleto. Ábralo de nuevo desde la tienda o desde el mensaje que recibió.',
      ],
    },
    too_many: {
      title: ['Muitas tentativas', 'Too many attempts', 'Demasiados intentos'],
      message: [
        'Aguarde alguns segundos e recarregue a página.',
        'Wait a few seconds, then reload the page.',
        'Espere unos segundos y recargue la página.',
      ],
    },
    refused: {
      title: ['Não foi possível continuar', 'We couldn’t continue', 'No se pudo continuar'],
      message: [
        'Abra o pagamento de novo pelo link.',
        'Open the payment again from its link.',
        'Abra el pago de nuevo desde su enlace.',
      ],
    },
    broken: {
      title: ['Algo deu errado', 'Something went wrong', 'Algo salió mal'],
      message: [
        'Seu pagamento está seguro. Recarregue a página em instantes.',
        'Your payment is safe. Reload the page in a moment.',
        'Su pago está seguro. Recargue la página en un momento.',
      ],
    },
    leaving: {
      title: ['Redirecionando para o pagamento', 'Taking you to the payment page', 'Redirigiendo al pago'],
      message: [
        'Você vai para a página segura da processadora do pagamento. Se nada acontecer, toque no botão.',
        'You’ll go to the payment processor’s secure page. If nothing happens, use the button.',
        'Irá a la página segura del procesador de pagos. Si no pasa nada, toque el botón.',
      ],
      button: ['Continuar', 'Continue', 'Continuar'],
    },
    back_to_payment: ['Voltar ao pagamento', 'Back to the payment', 'Volver al pago'],
  },
  frame: {
    title: ['Dados do cartão', 'Card details', 'Datos de la tarjeta'],
    broken: [
      'O formulário do cartão não carregou. Verifique sua conexão e recarregue a página.',
      'The card form didn’t load. Check your connection and reload the page.',
      'El formulario de la tarjeta no cargó. Revise su conexión y recargue la página.',
    ],
  },
})

export type Sentences = (typeof sentences)['en']
