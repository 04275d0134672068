package notify

import (
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/tasks"
)

// WebhookTopics returns the topics that webhooks can subscribe to.
func WebhookTopics() []string {
	return []string{tasks.TopicFinished, tasks.TopicFirstFailure, tasks.TopicExportReady}
}

// Channel is the way in which a notification reaches a recipient.
type Channel string

// The channels.
const (
	ChannelWebhook     Channel = "webhook"      // HTTP, to a webhook of the tenant
	ChannelCallbackURL Channel = "callback_url" // HTTP, to the callback URL of the task
	ChannelCallback    Channel = "callback"     // a Go function of the task's kind
)

// Channels returns the names of all channels.
func Channels() []string {
	return []string{string(ChannelWebhook), string(ChannelCallbackURL), string(ChannelCallback)}
}

// Notification is a message about a task, with the task as it was at that time.
type Notification struct {
	Num   int64      // number inside the ledger
	Topic string     //
	At    int64      // unix ms
	Seqs  []int64    // of tasks.TopicExhausted: the jobs; at most 100
	Task  tasks.Task // without its file, options and split
}

// ID returns the id of the notification. It is the same at every attempt and for every
// recipient, so recipients can deduplicate by it. It contains no full stop, since the text
// that is signed uses full stops as separators.
func (n *Notification) ID() string {
	id := fmt.Sprintf("msg_%s_%s_%d", n.Task.ID, strings.ReplaceAll(n.Topic, ".", "_"), n.Task.Round)
	if n.Topic == tasks.TopicExhausted {
		id += fmt.Sprintf("_%d", n.Num)
	}
	return id
}
