// The journey of clients that openapi-generator generates for Java: an endpoint, create, pay, get, list, refund, explain, events; beyond 32 bits.
package dev.vintem;

import dev.vintem.api.EventsApi;
import dev.vintem.api.PaymentsApi;
import dev.vintem.api.RefundsApi;
import dev.vintem.api.SandboxApi;
import dev.vintem.api.WalletsApi;
import dev.vintem.api.WebhookEndpointsApi;
import dev.vintem.model.CreatePaymentRequest;
import dev.vintem.model.CreateRefundRequest;
import dev.vintem.model.CreateWebhookEndpointRequest;
import dev.vintem.model.CreatedPayment;
import dev.vintem.model.CreatedWebhookEndpoint;
import dev.vintem.model.Currency;
import dev.vintem.model.Language;
import dev.vintem.model.PaySandboxPaymentRequest;
import dev.vintem.model.Payment;
import dev.vintem.model.PaymentMethod;
import dev.vintem.model.PaymentStatus;
import dev.vintem.model.Refund;
import dev.vintem.model.SandboxScenario;
import dev.vintem.model.StepCause;
import dev.vintem.model.WebhookEndpointEventType;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

public final class Journey {
  private static final long AMOUNT = 5_000_000_000L;
  private static final long BACK = 3_000_000_000L;

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("API_URL"));
    client.addDefaultHeader("apikey", System.getenv("API_KEY"));
    PaymentsApi payments = new PaymentsApi(client);
    RefundsApi refunds = new RefundsApi(client);

    WebhookEndpointsApi endpoints = new WebhookEndpointsApi(client);
    CreatedWebhookEndpoint endpoint =
        endpoints.createWebhookEndpoint(
            new CreateWebhookEndpointRequest()
                .url(URI.create("http://127.0.0.1:9/hooks"))
                .addEventTypesItem(WebhookEndpointEventType.PAYMENT_COMPLETED),
            null);
    if (!endpoint.getSecret().startsWith("whsec_"))
      throw new IllegalStateException("the endpoint has no secret");

    CreatePaymentRequest body =
        new CreatePaymentRequest()
            .amount(AMOUNT)
            .currency(Currency.BRL)
            .paymentMethods(Set.of(PaymentMethod.PIX))
            .idempotencyKey(System.getenv("RUN"))
            .metadata(Map.of("orderId", "A-1"));
    CreatedPayment created = payments.createPayment(body, null);
    same("created.amount", created.getAmount(), AMOUNT);

    new SandboxApi(client)
        .paySandboxPayment(created.getId(), new PaySandboxPaymentRequest().scenario(SandboxScenario.EXACT));
    Payment payment = paid(payments, created.getId());
    same("payment.amount", payment.getAmount(), AMOUNT);
    same("payment.amountReceived", payment.getAmountReceived(), AMOUNT);

    long listed =
        payments
            .listPayments(
                10L, null, null, null, PaymentStatus.PAID, null, Currency.BRL,
                null, null, null, null, null, null, null, null, null, null, null, null, null, null)
            .getData()
            .stream()
            .filter(each -> each.getId().equals(payment.getId()))
            .findFirst()
            .orElseThrow()
            .getAmountReceived();
    same("listed", listed, AMOUNT);

    Refund requested =
        refunds.createRefund(
            payment.getId(), null, new CreateRefundRequest().amount(BACK).reason("One item was not there"));
    Refund refund = refunds.getRefund(requested.getId());
    same("refund.amount", refund.getAmount(), BACK);

    boolean holds =
        new WalletsApi(client)
            .listWallets(null, null, Currency.BRL).getData().stream()
                .anyMatch(each -> each.getBalance() + each.getHeldBalance() >= AMOUNT - BACK);
    if (!holds) throw new IllegalStateException("no wallet holds it");
    long credited =
        payments.explainPayment(payment.getId(), Language.PT_BR, null, null).getSteps().stream()
            .filter(step -> step.getCause() == StepCause.CREDITED)
            .findFirst()
            .orElseThrow()
            .getAmount();
    same("credited", credited, AMOUNT);
    if (new EventsApi(client).listEvents(100L, null, null, "refund.created", 1L).getData().isEmpty())
      throw new IllegalStateException("there is no event of the refund");
    endpoints.deleteWebhookEndpoint(endpoint.getId());
    System.out.printf("{\"payment\":\"%s\",\"refund\":\"%s\"}%n", payment.getId(), refund.getId());
  }

  private static Payment paid(PaymentsApi payments, UUID id) throws Exception {
    for (int tries = 0; tries < 600; tries += 1) {
      Payment payment = payments.getPayment(id);
      if (payment.getStatus() == PaymentStatus.PAID) return payment;
      Thread.sleep(200);
    }
    throw new IllegalStateException("the payment was not paid");
  }

  private static void same(String what, long found, long wanted) {
    if (found != wanted) throw new IllegalStateException(what + " is " + found + ", not " + wanted);
  }
}
