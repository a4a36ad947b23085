#![no_main]

use countersign::protocol::event::ProviderFormat;

libfuzzer_sys::fuzz_target!(|data: &[u8]| countersign_fuzz::decoder(ProviderFormat::OpenaiResponses, data));
