import { dictionary } from './dictionary.ts'

/** Settings → Notices. */
export const noticeWords = dictionary({
  'pt-BR': {
    title: 'Avisos para você',
    lead: 'Chegam ao seu e-mail, no seu idioma, uma vez para cada acontecimento.',
    receipts: 'Recibos para pagadores',
    receiptsLabel: 'Enviar recibo por e-mail quando um pagamento é pago ou devolvido',
    receiptsHelp: 'Vai a quem deixou um e-mail no pagamento, até 1.000 por hora.',
    sandbox: 'Esta conta é de teste, mas o recibo chega de verdade ao e-mail do pagamento.',
    noServer:
      'Nenhum servidor de e-mail está configurado: nada é enviado. O operador define VINTEM_SMTP_URL e VINTEM_MAIL_FROM.',
    always:
      'Entrada de um endereço novo, e segundo fator adicionado ou removido: estes sempre chegam a você.',
    notAllowed: 'Seu papel não recebe este aviso.',
    kinds: {
      WITHDRAWAL_APPROVAL: 'Um saque espera aprovação',
      DISPUTE_OPENED: 'Uma disputa foi aberta',
      DISPUTE_DUE: 'O prazo da defesa de uma disputa está perto (3 dias e 1 dia antes)',
      ENDPOINT_FAILING: 'Um endpoint de webhook está falhando e será desativado',
      ENDPOINT_DISABLED: 'Um endpoint de webhook foi desativado',
      KEY_EXPIRING: 'Uma chave de API expira em 7 dias',
    },
  },
  en: {
    title: 'Notices to you',
    lead: 'They come to your email, in your language, once for each event.',
    receipts: 'Receipts to payers',
    receiptsLabel: 'Send a receipt by email when a payment is paid or refunded',
    receiptsHelp: 'To payers whose payment has an email address, up to 1,000 in an hour.',
    sandbox: 'This is a test account, but the receipt really goes to the address in the payment.',
    noServer:
      'No mail server is set: nothing is sent. The operator sets VINTEM_SMTP_URL and VINTEM_MAIL_FROM.',
    always: 'A sign-in from a new address, and a second factor added or removed: these always come to you.',
    notAllowed: 'Your role does not get this notice.',
    kinds: {
      WITHDRAWAL_APPROVAL: 'A withdrawal waits for approval',
      DISPUTE_OPENED: 'A dispute was opened',
      DISPUTE_DUE: 'The evidence of a dispute is due soon (3 days and 1 day before)',
      ENDPOINT_FAILING: 'A webhook endpoint is failing and will be disabled',
      ENDPOINT_DISABLED: 'A webhook endpoint was disabled',
      KEY_EXPIRING: 'An API key expires in 7 days',
    },
  },
  es: {
    title: 'Avisos para usted',
    lead: 'Llegan a su correo, en su idioma, una vez por cada suceso.',
    receipts: 'Recibos para pagadores',
    receiptsLabel: 'Enviar un recibo por correo cuando un pago se cobra o se devuelve',
    receiptsHelp: 'A quienes dejaron un correo en el pago, hasta 1.000 por hora.',
    sandbox: 'Esta cuenta es de prueba, pero el recibo llega de verdad al correo del pago.',
    noServer:
      'No hay servidor de correo: no se envía nada. El operador define VINTEM_SMTP_URL y VINTEM_MAIL_FROM.',
    always:
      'Un acceso desde una dirección nueva, y un segundo factor añadido o quitado: estos siempre le llegan.',
    notAllowed: 'Su papel no recibe este aviso.',
    kinds: {
      WITHDRAWAL_APPROVAL: 'Un retiro espera aprobación',
      DISPUTE_OPENED: 'Se abrió una disputa',
      DISPUTE_DUE: 'El plazo de las pruebas de una disputa está cerca (3 días y 1 día antes)',
      ENDPOINT_FAILING: 'Un endpoint de webhook está fallando y se desactivará',
      ENDPOINT_DISABLED: 'Se desactivó un endpoint de webhook',
      KEY_EXPIRING: 'Una clave de API vence en 7 días',
    },
  },
})
