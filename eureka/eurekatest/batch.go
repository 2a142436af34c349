package eurekatest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

var batchChecks = []Check{
	{Name: "batch/items", Fact: "A peer's batch is answered item by item, in order, and carried out.", run: batchItems},
	{Name: "batch/conflict", Fact: "A peer that knows an older instance is told the newer one.", run: batchConflict},
	{Name: "batch/malformed", Fact: "A batch that is none is answered 400.", run: batchMalformed},
}

// batchPath has the slash at its end that Netflix's servers send.
const batchPath = "/peerreplication/batch/"

type batchAnswer struct {
	Items []struct {
		Code   int       `json:"statusCode"`
		Entity *document `json:"responseEntity"`
	} `json:"responseList"`
}

func (s *session) batch(ctx context.Context, items ...fields) (batchAnswer, error) {
	for _, item := range items {
		item["appName"] = s.app
		s.willCancel(s.instancePath(item["id"].(string)))
	}
	body, err := json.Marshal(fields{"replicationList": items})
	if err != nil {
		return batchAnswer{}, err
	}
	a, err := s.expect(ctx, http.StatusOK, http.MethodPost, batchPath, string(body), sendJSON, asJSON, asPeer)
	if err != nil {
		return batchAnswer{}, err
	}
	var answered batchAnswer
	if err := json.Unmarshal(a.body, &answered); err != nil {
		return batchAnswer{}, fmt.Errorf("%s: %w", a, err)
	}
	if len(answered.Items) != len(items) {
		return batchAnswer{}, fmt.Errorf("%s: %d items, want %d", a, len(answered.Items), len(items))
	}
	return answered, nil
}

func (s *session) replicated(id string) fields {
	return fields{"id": id, "action": "Register", "lastDirtyTimestamp": int64(firstDirty), "status": "UP", "instanceInfo": s.instance(id)}
}

func batchItems(ctx context.Context, s *session) error {
	answered, err := s.batch(ctx,
		s.replicated("one"), s.replicated("two"),
		fields{"id": "one", "action": "Heartbeat", "lastDirtyTimestamp": int64(firstDirty), "status": "UP"},
		fields{"id": "nobody", "action": "Heartbeat", "lastDirtyTimestamp": int64(firstDirty), "status": "UP"},
		fields{"id": "one", "action": "StatusUpdate", "lastDirtyTimestamp": int64(firstDirty), "status": "OUT_OF_SERVICE"},
		fields{"id": "two", "action": "Cancel"},
	)
	if err != nil {
		return err
	}
	for i, want := range []int{200, 200, 200, 404, 200, 200} {
		if err := equal(fmt.Sprintf("status of item %d", i), answered.Items[i].Code, want); err != nil {
			return err
		}
	}
	return errors.Join(s.expectStatus(ctx, "one", "OUT_OF_SERVICE"), s.gone(ctx, s.instancePath("two")))
}

func batchConflict(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one")); err != nil {
		return err
	}
	answered, err := s.batch(ctx, fields{"id": "one", "action": "Heartbeat", "lastDirtyTimestamp": int64(firstDirty - 1), "status": "UP"})
	if err != nil {
		return err
	}
	item := answered.Items[0]
	if item.Entity == nil {
		return fmt.Errorf("status %d without an instance, want 409 with one", item.Code)
	}
	return errors.Join(equal("status", item.Code, http.StatusConflict), equal("lastDirtyTimestamp", item.Entity.LastDirtyTimestamp, fmt.Sprint(firstDirty)))
}

func batchMalformed(ctx context.Context, s *session) error {
	_, err := s.expect(ctx, http.StatusBadRequest, http.MethodPost, batchPath, "{", sendJSON, asJSON, asPeer)
	return err
}
