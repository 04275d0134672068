package notify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/tasks"
)

// WebhookTopics returns the topics that webhooks can subscribe to.
func WebhookTopics() []string {
	return []string{tasks.TopicFinished, tasks.TopicFirstFailure, tasks.TopicProgress, tasks.TopicExportReady}
}

// defaultTopics returns the topics of a webhook that was added without topics. It leaves out
// tasks.TopicProgress, which has up to nine notifications in each round of a task.
func defaultTopics() []string {
	return slices.DeleteFunc(WebhookTopics(), func(topic string) bool { return topic == tasks.TopicProgress })
}

// Channel is the way in which a notification reaches a recipient.
type Channel string

// These are all channels.
const (
	ChannelWebhook     Channel = "webhook"      // HTTP, to a webhook of the tenant
	ChannelCallbackURL Channel = "callback_url" // HTTP, to the callback URL of the task
	ChannelCallback    Channel = "callback"     // a Go function of the task's kind
)

// Channels returns the names of all channels.
func Channels() []string {
	return []string{string(ChannelWebhook), string(ChannelCallbackURL), string(ChannelCallback)}
}

// Notification is a message about a task. It contains the task as it was at the time of the
// message.
type Notification struct {
	Num   int64      // number inside the ledger
	Topic string     // a topic of package tasks
	At    int64      // unix ms
	Seqs  []int64    // for tasks.TopicExhausted: the seqs of the rows; at most 100
	Task  tasks.Task // without its file, options and split
}

// ID returns the id of the notification. The id is the same at every delivery attempt and for every
// recipient, so recipients can deduplicate by it. It contains no full stop, because full stops separate
// the parts of the signed text.
func (n *Notification) ID() string {
	id := fmt.Sprintf("msg_%s_%s_%d", n.Task.ID, strings.ReplaceAll(n.Topic, ".", "_"), n.Task.Round)
	if n.Topic == tasks.TopicExhausted {
		id += fmt.Sprintf("_%d", n.Num)
	}
	if n.Topic == tasks.TopicProgress { // the percentage, rounded down to a multiple of ten
		id += fmt.Sprintf("_%d", n.percent()/10*10)
	}
	return id
}

// percent returns the percentage of processed rows at the time of the message, rounded down.
func (n *Notification) percent() int64 { return 100 * n.Task.Processed() / max(n.Task.Total, 1) }
