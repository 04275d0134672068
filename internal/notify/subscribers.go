package notify

import (
	"slices"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
)

// subscribersOf returns the kinds of a registry with the topics of their Go callbacks.
func subscribersOf(kinds *jobs.Registry) Subscribers {
	subs := Subscribers{Kinds: kinds.Names(), Callbacks: map[string][]string{}}
	for _, k := range kinds.Kinds() {
		for topic, has := range map[string]bool{
			tasks.TopicFinished:     k.OnDone != nil,
			tasks.TopicFirstFailure: k.OnFirstFailure != nil,
			tasks.TopicExhausted:    k.OnExhausted != nil,
		} {
			if has {
				subs.Callbacks[topic] = append(subs.Callbacks[topic], k.Name)
			}
		}
	}
	return subs
}

// WithoutCallback returns, by topic, the kinds of a registry that have no Go callback for the
// topic. For these kinds, package events writes a notice only if a webhook or callback URL receives
// it.
func WithoutCallback(kinds *jobs.Registry) map[string][]string {
	out, with := map[string][]string{}, subscribersOf(kinds).Callbacks
	topics := append(WebhookTopics(), tasks.TopicExhausted)
	for _, topic := range topics {
		out[topic] = slices.DeleteFunc(kinds.Names(), func(name string) bool {
			return slices.Contains(with[topic], name)
		})
	}
	return out
}
