// The streams of the corpus on which our decoder and the provider's SDK do not say the same, by the reason and, since
// numbers may move, by name. A stream that is listed and agrees, or is not in the corpus, fails the test, and so does
// one that differs and is not listed.
export const EXCLUDED = [
  {
    why: "no provider's own API writes it: the SDK refuses the stream, where ours reads what compatible servers, gateways and test doubles send",
    streams: {
      anthropic: ["data spread over several lines", "no event names: the payload says what it is", "a message start without a message", "usage that stands in the start alone is told before the stop", "arguments for a call that is not open", "a stop without a start", "the last blank line is missing and the payload complete", "members that are null are absent"],
      "openai-chat": ["an empty object holds the place of arguments that come after a text", "an empty object before a text is what it is if nothing follows", "other arguments in the message at the end", "the same arguments written otherwise in the message at the end", "ids that are one once they are shortened", "a part of a call outside the frames is a hole", "calls without an id", "a call without an id has its state under ours", "a stop without a start", "event names, ids and retry hints say nothing", "blank data says nothing", "payloads without a blank line between them", "a payload over several data lines", "a payload that is no object", "[DONE] and no finish reason", "[DONE] and nothing said", "[DONE] after a call whose arguments are whole", "[DONE] in the middle of a call", "[DONE] after a call without argument text: it is not known why the message ended", "[DONE] without its line end", "choices that are empty, null or absent", "no index: fragments go on with the call opened last", "an index that is null", "the name alone comes again with every fragment", "neither index nor id for any call", "indexes that begin at 1 and leave some out", "fragments by id alone", "arguments that may belong to either of two calls are nobody's", "an index that comes late", "arguments for an index that was never opened", "arguments before any call", "a name that comes after the id", "a call whose name never comes is still a call", "an id that is a number", "arguments as an object are judged as they were written", "a message at the end whose calls have neither index nor id", "a list of calls of another kind"],
      "openai-responses": ["calls that begin in another order than that of the snapshot, which has new ids", "two calls, interleaved: told apart by ids alone", "two calls, interleaved: told apart by places alone", "two calls, interleaved: each event with another id, told apart by places", "two calls, interleaved: told apart by ids, all in the first place", "two calls, interleaved: told apart by places, all under one id", "two calls, interleaved: nothing tells them apart", "two calls, interleaved: all in the first place, without ids", "two calls, interleaved: all in the first place under one id", "no types: the event names say what it is", "no ids of items", "no places in the output", "neither ids nor places", "every item in the first place", "every item in the first place, without ids", "all items under one id", "a new id for an item in each event", "an item begins without an event", "calls begin without an event: they come whole", "no items end", "nothing ends but the response", "two calls, nothing ends but the response", "no call ids: the item's stands in", "neither call ids nor item ids", "no response.created", "arguments that come with the beginning and nowhere else", "the beginning of an item told twice", "arguments for a call that never was", "the id says one call and the place another", "the end of another call in the place of one that is open", "a call of which the end alone is missing, where others have one", "a snapshot that has other calls than were told", "one call id for two items", "a response begun twice before it says anything", "a server that gives each event a response id of its own", "a thought that never ends holds no call back for ever", "events nobody knows", "members that are null are absent", "hostile words in names stay out of authored sentences", "a text in the place of a call that is open, and then another call"],
      gemini: ["comments, ids and event names say nothing", "a payload over several data lines", "no blank line between two payloads", "the last blank line is missing", "what a gateway says after the end", "a piece whose call was never told is a call without a name"],
    },
  },
  {
    why: "an argument text that is no JSON: ours completes the call as refused and goes on, the SDK throws and loses the answer",
    streams: {
      anthropic: ["blank argument text is an empty object", "arguments refused: {\"from\": 3, \"to\": }", "arguments refused: {\"a\":1}{\"b\":2}", "a second block takes the place of one that never stopped"],
    },
  },
  {
    why: "a frame that cannot be read: ours skips it, says so and refuses the call it may belong to, the SDK throws",
    streams: {
      anthropic: ["the end of a call and the beginning of the next are lost, in one place", "a thought of which a frame was lost is not returned, the next is", "one frame that cannot be read costs that frame"],
      "openai-chat": ["the same, with one that cannot be read", "a list of which a frame was lost is not returned, a text is", "one frame that cannot be read costs that frame", "a fragment that cannot be read spoils the call it may belong to"],
      "openai-responses": ["a frame that cannot be read after the end of the arguments costs that frame", "a frame that cannot be read inside a call", "a frame that cannot be read before the end of a call", "a frame that cannot be read before a call costs that frame"],
      gemini: ["one frame that cannot be read costs that frame", "a call of which one member stands twice cannot be read", "a list of several payloads is none"],
    },
  },
  {
    why: "blank or placeholder arguments are `{}` with us; the SDK hands on the text, null or nothing",
    streams: {
      anthropic: ["placeholders for no arguments"],
      "openai-chat": ["blank argument text is an empty object", "arguments for a call that is complete"],
      "openai-responses": ["a call of nothing but blanks", "arguments as an object"],
      gemini: ["arguments in pieces are never run"],
    },
  },
  {
    why: "ids and names: ours gives every call one, and bounds them",
    streams: {
      anthropic: ["calls without an id", "a call without a name is still a call", "names and ids of any length are bounded"],
      "openai-chat": ["names and ids of any length are bounded"],
      "openai-responses": ["a call without a name is still a call", "names and ids of any length are bounded"],
      gemini: ["calls without an id", "names and ids of any length are bounded"],
    },
  },
  {
    why: "whose fragment it is: the SDK goes by the index alone and joins what two calls said, or takes the last id",
    streams: {
      "openai-chat": ["a new id with every fragment, and no name", "index 0 for every call", "index 0 and no id for every call", "arguments as an object"],
      anthropic: ["places that are no numbers of a block are nobody's"],
    },
  },
  {
    why: "a limit of ours",
    streams: {
      anthropic: ["a line over the cap is skipped with its frame", "a stream over the cap ends"],
      "openai-chat": ["a line over the cap is skipped with its frame", "a stream over the cap ends"],
      "openai-responses": ["a line over the cap takes its frame with it"],
      gemini: ["a number too large to be held costs the frame", "a frame nested deeper than is read costs that frame", "a line over the cap is skipped with its frame", "a stream over the cap ends"],
    },
  },
  {
    why: "a failure in a place where the SDK does not look for one",
    streams: {
      anthropic: ["an error without an event name"],
      "openai-chat": ["a failure inside the choice", "a finish reason that is a failure"],
      gemini: ["a status in words alone", "an internal error, in a list of one", "an error under an event of its name", "an error that is a text"],
    },
  },
  {
    why: "more than one message in a stream: ours refuses it or ends with the first, the SDK throws or mixes them",
    streams: {
      anthropic: ["nothing leaves after the end"],
      "openai-chat": ["a second message spliced in: another id, and the role again", "a second message after the first has ended", "the same, with the role as the only sign", "the same, with the id as the only sign"],
      gemini: ["a second generation behind the first", "a second generation in the middle of the first"],
    },
  },
  {
    why: "a message that goes on after its finish reason has no end with us; the SDK keeps the first reason",
    streams: {
      "openai-chat": ["what goes on after a finish reason has not ended"],
      gemini: ["a message that goes on has not ended"],
    },
  },
  {
    why: "several finish reasons, reasons that OpenAI does not have, and `stop` beside calls: ours reads them, the SDK hands on the last",
    streams: {
      "openai-chat": ["two finish reasons", "a later finish reason does not undo a cut", "finish reason stop_sequence", "finish reason eos_token", "finish reason STOP", "finish reason max_tokens", "finish reason model_length", "a call beside a finish reason that nobody knows", "text, a whole call and `stop` in one chunk", "text after a call", "the older form of a call", "the older form without arguments"],
      gemini: ["a cut stands whatever is said after it"],
    },
  },
  {
    why: "counts that are absent, elsewhere or no counts",
    streams: {
      "openai-chat": ["usage without counts counts nothing", "usage inside the choice", "counts that are no counts"],
    },
  },
  {
    why: "content that is no text: ours takes the texts out, the SDK joins whatever it is",
    streams: {
      "openai-chat": ["content of another kind", "content as a list of parts", "thoughts among the parts"],
      gemini: ["members nobody knows and parts that are no text", "frames of the wrong shape"],
    },
  },
  {
    why: "thinking in a shape that the API does not send: a signature in parts, which the SDK keeps the last part of, and a block without its end",
    streams: {
      anthropic: ["signed and sealed thinking comes back as state, in order", "thinking whose block never stops is not kept"],
    },
  },
  {
    why: "the end of the connection is no end of the message with us; the SDK does not notice that one is missing",
    streams: {
      "openai-responses": ["the connection closes in a call that is complete"],
      gemini: ["a reason that is not specified is none", "an empty stream", "the connection closes in the text", "the connection closes behind a call"],
    },
  },
  {
    why: "what was told stands, and what is told again otherwise is not believed; the SDK takes the last",
    streams: {
      "openai-responses": ["calls of one name and new ids in the snapshot", "no arguments at their end after fragments", "the end of an item told a second time with other arguments"],
    },
  },
  {
    why: "one answer was asked for and one is read; the SDK hands on parts of all, and a block without its reason",
    streams: {
      gemini: ["feedback without a reason blocks nothing", "a second candidate is skipped"],
    },
  },
  {
    why: "the stream leaves out that an item or a part of it begins, which OpenAI always says and its SDK insists on: it says the same in fewer words",
    streams: {
      "openai-responses": ["plain text", "empty deltas say nothing", "text and a call", "a call without arguments: nothing after it overtakes it", "thinking, then a call", "several thoughts, each before what it led to", "a thought without any words", "a refusal", "a refusal that equals another's", "what the provider's own tools do is not told", "unicode in everything", "unicode that equals another's", "event names, types and numbers", "a snapshot at the end says all again", "new ids in the snapshot", "no response id", "`[DONE]` after the end", "lines end with CRLF", "no events for the ends of texts and arguments", "no model", "no usage", "text only at its end", "thoughts in words only with their item", "the output limit", "a filter", "an end nobody knows why", "an end without a reason", "`completed` that says to be incomplete", "nothing leaves after the end", "the last blank line is missing", "two texts in one item", "the whole of a text says otherwise than its pieces: what was told stands", "thoughts told openly go back as well", "a compacted conversation is state"],
    },
  },
];
