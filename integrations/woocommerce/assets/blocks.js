// The payment method in WooCommerce's checkout block: its title, and the sentence that the shop has set. The payer types nothing here.
;(({ wc, wp }) => {
  const { title, description, supports } = wc.wcSettings.getSetting('vintem_data', {})
  const { createElement } = wp.element
  const text = (html) => wp.htmlEntities.decodeEntities(html ?? '')
  const Label = ({ components }) => createElement(components.PaymentMethodLabel, { text: text(title) })
  const Content = () => text(description)
  wc.wcBlocksRegistry.registerPaymentMethod({
    name: 'vintem',
    label: createElement(Label),
    ariaLabel: text(title),
    content: createElement(Content),
    edit: createElement(Content),
    canMakePayment: () => true,
    supports: { features: supports ?? ['products'] },
  })
})(window)
