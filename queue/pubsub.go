package queue

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"
)

// Notify publishes a topic to its subscribers. It also succeeds without subscribers. A disconnected
// subscriber misses the topic, but gets all of its topics when it reconnects.
func (c *Client) Notify(ctx context.Context, topic string) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if err := c.rdb.Publish(ctx, c.keys.channel(topic), "").Err(); err != nil {
		return fmt.Errorf("queue: notify %q: %w", topic, err)
	}
	return nil
}

// Subscribe returns a channel that receives the published topics. It merges unread messages of one topic
// into one. After every connection or reconnection the channel receives all topics, since messages may
// have been missed. The returned function ends the subscription, and waits until the channel is closed.
// The caller may call the function several times.
func (c *Client) Subscribe(topics ...string) (<-chan string, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	out := make(chan string)
	channels := make([]string, len(topics))
	for i, topic := range topics {
		channels[i] = c.keys.channel(topic)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(out)
		if len(topics) == 0 {
			<-ctx.Done()
			return
		}
		c.listen(ctx, channels, out)
	})
	return out, func() { cancel(); wg.Wait() }
}

// listen sends published topics to the channel `out`. If a topic is published again before it is read,
// listen sends it only once.
func (c *Client) listen(ctx context.Context, channels []string, out chan<- string) {
	sub := c.rdb.Subscribe(ctx, channels...)
	defer func() { _ = sub.Close() }() // a lost connection needs no cleanup
	in := sub.ChannelWithSubscriptions()
	var waiting []string
	for {
		var send chan<- string
		var next string
		if len(waiting) > 0 {
			send, next = out, waiting[0]
		}
		select {
		case <-ctx.Done():
			return
		case send <- next:
			waiting = waiting[1:]
		case msg, ok := <-in:
			if !ok {
				return
			}
			topic := strings.TrimPrefix(channelOf(msg), c.keys.channel(""))
			if !slices.Contains(waiting, topic) {
				waiting = append(waiting, topic)
			}
		}
	}
}

// channelOf returns the channel of a message or of a subscription event.
func channelOf(msg any) string {
	switch m := msg.(type) {
	case *redis.Message:
		return m.Channel
	case *redis.Subscription:
		return m.Channel
	}
	return ""
}
