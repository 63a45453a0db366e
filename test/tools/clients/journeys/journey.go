// The journey of clients that oapi-codegen generates: an endpoint, create, pay, get, list, refund, explain, events; beyond 32 bits.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"journey/vintem"

	openapi_types "github.com/oapi-codegen/runtime/types"
)

const amount int64 = 5_000_000_000
const back int64 = 3_000_000_000

var ctx = context.Background()

func same(what string, found, wanted int64) {
	if found != wanted {
		log.Fatalf("%s is %d, not %d", what, found, wanted)
	}
}

func must[Answer any](answer Answer, err error) Answer {
	if err != nil {
		log.Fatal(err)
	}
	return answer
}

func some[Body any](body *Body, raw []byte) *Body {
	if body == nil {
		log.Fatalf("another answer came: %s", raw)
	}
	return body
}

func paid(api *vintem.ClientWithResponses, id openapi_types.UUID) *vintem.Payment {
	for range 600 {
		answer := must(api.GetPaymentWithResponse(ctx, id))
		payment := some(answer.JSON200, answer.Body)
		if payment.Status == vintem.PaymentStatusPAID {
			return payment
		}
		time.Sleep(200 * time.Millisecond)
	}
	log.Fatal("the payment was not paid")
	return nil
}

func main() {
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("apikey", os.Getenv("API_KEY"))
		return nil
	}
	api := must(vintem.NewClientWithResponses(os.Getenv("API_URL"), vintem.WithRequestEditorFn(withKey)))

	types := []vintem.WebhookEndpointEventType{vintem.WebhookEndpointEventTypePaymentCompleted}
	making := must(api.CreateWebhookEndpointWithResponse(ctx, nil, vintem.CreateWebhookEndpointRequest{
		Url:        "http://127.0.0.1:9/hooks",
		EventTypes: &types,
	}))
	endpoint := some(making.JSON201, making.Body)
	if endpoint.Secret == nil || !strings.HasPrefix(*endpoint.Secret, "whsec_") {
		log.Fatal("the endpoint has no secret")
	}

	currency := vintem.BRL
	metadata := vintem.Metadata{"orderId": "A-1"}
	creation := must(api.CreatePaymentWithResponse(ctx, nil, vintem.CreatePaymentRequest{
		Amount:         amount,
		Currency:       &currency,
		PaymentMethods: &[]vintem.PaymentMethod{vintem.PaymentMethodPIX},
		IdempotencyKey: os.Getenv("RUN"),
		Metadata:       &metadata,
	}))
	created := some(creation.JSON201, creation.Body)
	same("created.amount", created.Amount, amount)

	scenario := vintem.SandboxScenarioExact
	paying := must(api.PaySandboxPaymentWithResponse(ctx, created.Id, vintem.PaySandboxPaymentRequest{Scenario: &scenario}))
	some(paying.JSON202, paying.Body)
	payment := paid(api, created.Id)
	same("payment.amount", payment.Amount, amount)
	same("payment.amountReceived", payment.AmountReceived, amount)

	limit, status := int64(10), vintem.PaymentStatusPAID
	listing := must(api.ListPaymentsWithResponse(ctx, &vintem.ListPaymentsParams{Limit: &limit, Status: &status, Currency: &currency}))
	listed := int64(0)
	for _, each := range some(listing.JSON200, listing.Body).Data {
		if each.Id == payment.Id {
			listed = each.AmountReceived
		}
	}
	same("listed", listed, amount)

	wanted, reason := back, "One item was not there"
	requested := must(api.CreateRefundWithResponse(ctx, payment.Id, nil, vintem.CreateRefundRequest{Amount: &wanted, Reason: &reason}))
	reading := must(api.GetRefundWithResponse(ctx, some(requested.JSON201, requested.Body).Id))
	refund := some(reading.JSON200, reading.Body)
	same("refund.amount", refund.Amount, back)

	reply := must(api.ListWalletsWithResponse(ctx, &vintem.ListWalletsParams{Currency: &currency}))
	holds := false
	for _, each := range some(reply.JSON200, reply.Body).Data {
		holds = holds || each.Balance+each.HeldBalance >= amount-back
	}
	if !holds {
		log.Fatal("no wallet holds it")
	}

	language := vintem.PtBR
	explaining := must(api.ExplainPaymentWithResponse(ctx, payment.Id, &vintem.ExplainPaymentParams{Language: &language}))
	credited := int64(0)
	for _, step := range some(explaining.JSON200, explaining.Body).Steps {
		if step.Cause == vintem.StepCauseCREDITED && step.Amount != nil {
			credited = *step.Amount
		}
	}
	same("credited", credited, amount)
	hundred, wait, ofRefunds := int64(100), int64(1), "refund.created"
	events := must(api.ListEventsWithResponse(ctx, &vintem.ListEventsParams{Limit: &hundred, Types: &ofRefunds, Wait: &wait}))
	if len(some(events.JSON200, events.Body).Data) == 0 {
		log.Fatal("there is no event of the refund")
	}
	deleting := must(api.DeleteWebhookEndpointWithResponse(ctx, endpoint.Id))
	some(deleting.JSON200, deleting.Body)
	fmt.Printf("{\"payment\":%q,\"refund\":%q}\n", payment.Id, refund.Id)
}
